#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# stack-values.t: stacks kept in variables and used later: time off the CPU by stack, compared with the program's
# own counts.
#
# guests: 6.12
. "${0%/*}/lib.sh"

naps=20
# A kernel may hide some threads, and so the switch in which one of them gives the processor back.  A nap that ends
# before the thread sleeps is none, so naps are longer where everything is slow.
ms=10
[ -z "${GUEST:-}" ] || ms=50
least=$((naps * 3 / 4))
cat >"$work/offcpu.d" <<'END'
sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
	self->s = stack();
	self->u = ustack();
}
sched:::on-cpu
/self->s && self->u != NULL/
{
	@n[self->s, self->u] = count();
	@time[self->u, self->s] = sum(timestamp - self->since);
	self->s = NULL;
	self->u = 0;
}
END { printa("count %@d%k%k\n", @n); printa("time %@d%k%k\n", @time); }
END

# by WHAT FUNCTION: prints the sum over stacks where the function sleeps; preemptions do not count.
by() {
	awk -v what="$1" -v wanted="[\`]$2\\\\+" '
		/^[a-z]+ [0-9]+$/ { is = $1 == what; value = $2; sleeps = 0; here = 0 }
		is && /`do_nanosleep\+/ && before ~ /`schedule\+/ { sleeps = 1 }
		is && $0 ~ wanted { here = 1 }
		is && sleeps && here { sum += value; is = 0 }
		{ before = $0 }
		END { print sum + 0 }' "$work/out"
}

dtrace_run -qs "$work/offcpu.d" -c "$top/build/test-naps $naps $ms"
ok "nothing is lost" dtrace_is_quiet
for func in short_nap long_nap; do
	own=$(awk -v name="$func" '$1 == name { print $2 }' "$work/out")
	# schedule() gives a woken thread's processor away once more if another wants it, with the same stack.
	between "$(by count "$func")" $least $((naps * 3 / 2)) "$func: how often"
	between "$(by time "$func")" $((own / 2)) "$own" "$func: how long, no longer than the program says"
done

# The same rows as with calls.
dtrace_run -qn 'int same; syscall::clock_nanosleep:entry /pid == $target/ { this->s = ustack(); @[this->s] = sum(1); @[ustack()] = sum(100);
		@[stack()] = sum(1000); same += this->s == ustack(); }
	END { printf("same %d\n", same); }' -c "$top/build/test-naps 3"
is "$(awk 'NF == 1 && /^ *[0-9]+$/ { print $1 }' "$work/out" | sort -n | paste -sd ' ')" "303 303 6000" "a variable and a call are one key"
has "$work/out" '^same 6$' "... and equal"

done_testing
