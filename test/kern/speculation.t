#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# speculation.t: speculations that come and go on all CPUs at once: all committed records are printed, and no
# others.
#
# guests: 6.1
. "${0%/*}/lib.sh"

cat >"$work/writers" <<-'EOD'
	#!/bin/sh
	for i in 1 2 3; do
		dd if=/dev/zero of=/dev/null bs=7 count=5000 2>/dev/null &
	done
	wait
EOD
chmod +x "$work/writers"
dtrace_run -q -x nspec=64 -n 'syscall::write:entry /progenyof($target) && arg2 == 7/
	{ self->s = speculation(); speculate(self->s); printf("written %d\n", arg2); }
	syscall::write:return /self->s/ { self->odd = !self->odd; }
	syscall::write:return /self->s && self->odd/ { @["committed"] = count(); }
	syscall::write:return /self->s && self->odd/ { commit(self->s); self->s = 0; }
	syscall::write:return /self->s/ { discard(self->s); self->s = 0; }' -c "$work/writers"
is "$(value committed)" 7500 "half of the speculations are committed"
is "$(grep -c '^written 7$' "$work/out")" 7500 "as many records are printed"
ok "nothing was lost" dtrace_is_quiet

# Small records keep a buffer full, so none is left for a commit: all committed records are printed, and afterwards
# all speculation ids are free again.
full=$(yes 'syscall::write:return /self->s/ { printf("\n"); }' | head -n 20)
dtrace_run -q -x nspec=4 -b 64k -x bufresize=manual -n 'syscall::write:entry /progenyof($target) && arg2 == 7/
	{ self->s = speculation(); speculate(self->s); printf("written\n"); }
	'"$full"'
	syscall::write:return /self->s/ { @["committed"] = count(); }
	syscall::write:return /self->s/ { commit(self->s); self->s = 0; }
	END { a = speculation(); b = speculation(); c = speculation(); d = speculation();
		printf("numbers %d\n", (a != 0) + (b != 0) + (c != 0) + (d != 0)); }' -c "$work/writers"
has "$work/err" ' drops? on CPU' "a small buffer: records are lost"
positive "$(value committed)" "some were not"
is "$(grep -c '^written' "$work/out")" "$(value committed)" "all that was committed is printed"
has "$work/out" '^numbers 4$' "no number is lost"

dtrace_run -q -n 'BEGIN { s = speculation(); t = speculation(); exit(0); }' -x droptags
has "$work/err" '\[DTRACEDROP_SPECUNAVAIL\] 1 failed speculation' "none is left: the message"

done_testing
