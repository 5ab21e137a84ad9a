#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# hostile.t: processes that are not trusted.  Whatever files they map, dtrace finds names of their addresses in
# limited time, or none (hostile.c).
#
# guests: none
. "${0%/*}/lib.sh"

# hostile_start KIND: sets $hostile to the process, which has mapped its file.
hostile_start() {
	rm -f "$work/file-$1"
	"$top/build/test-hostile" "$1" "$work/file-$1" &
	hostile=$!
	own_pids+=("$hostile")
	wait_for 20 grep -q "r-xs.*file-$1" "/proc/$hostile/maps"
	[ "$1" != many ] || wait_for 20 maps_many
}

# Only the first 8192 mappings have names.  The tested mapping is made last and has the first place.
maps_many() {
	[ "$(grep -c "file-many" "/proc/$hostile/maps")" -ge 15000 ]
}

# stacks KIND [COMMAND]: prints stacks of a process of this kind.
stacks() {
	hostile_start "$1"
	[ $# = 1 ] || "$2"
		dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { ustack(2); n++; }
		syscall::getppid:entry /n == 20/ { exit(0); }' -p $hostile
	is $status 0 "$1: dtrace ends as usual" || note_file errors "$work/err"
	is "$(grep -c "file-$1.0x\|file-$1\`" "$work/out")" 20 "$1: every stack has the file's name" ||
		note_file out "$work/out"
	end_pid $hostile KILL
}

stacks huge
# The moment decides whether a table shrinks while it is read.
for i in 1 2 3; do
	stacks shrink
done
stacks loop
stacks many

# Replaces the file by something else, while the process is looked up by its name.
replace() {
	rm "$work/file-huge"
	mkfifo "$work/file-huge"
}
stacks huge replace

# The same processes, with probes at their functions.
for kind in huge shrink loop; do
	hostile_start $kind
	dtrace_run -Zqn 'pid$target:file-'$kind'::entry,pid$target:file-'$kind'::return { }
		BEGIN { exit(0); }' -p $hostile
	is $status 0 "$kind: functions of the file" || note_file errors "$work/err"
	end_pid $hostile KILL
done

# Processes that look like runtimes of languages (pretender.c): walks and names end, with a few messages at most.
for runtime in /usr/lib/jvm/*/lib/server/libjvm.so "$(type -P node)" /usr/lib/*/libruby-*.so.?.? /usr/lib/*/libpython3.*.so.1.0 \
	"$(type -P perl)" "$(type -P php)"; do
	runtime=$(readlink -f "$runtime")
	[ -e "$runtime" ] || { skip "a pretender of $runtime" "it is not installed"; continue; }
	"$top/build/test-pretender" "$runtime" >"$work/ready" &
	hostile=$!
	own_pids+=("$hostile")
	wait_for 20 grep -q ready "$work/ready"
	dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { @[jstack()] = count(); @l[langstack()] = count(); jstack(); n++; }
		syscall::getppid:entry /n == 50/ { exit(0); } END { printf("calls %d\n", n); trunc(@); trunc(@l); }' -p $hostile
	is $status 0 "a process that pretends to be ${runtime##*/}" || note_file errors "$work/err"
	has "$work/out" '^calls [5-9][0-9]$' "its calls are seen"
	is "$(grep -vc 'whose layout is unknown' "$work/err")" 0 "and no drops or errors" || note_file errors "$work/err"
	ok "no flood of versions" test "$(wc -l <"$work/err")" -le 16
	end_pid $hostile KILL
done

# A user's debug file that is too large to be compared is not read.
echo >"$work/large.debug"
objcopy --strip-all --remove-section .note.gnu.build-id --add-gnu-debuglink="$work/large.debug" "$top/build/test-pid" "$work/linked"
truncate -s 2G "$work/large.debug"
chown 65534 "$work/large.debug"
dtrace_run -qn 'pid$target::main:entry, BEGIN { exit(0); }' -c "$work/linked"
has "$work/err" 'linked names a debug file that is ignored' "a debug file of 2 GB is not read, and that is said"

# Names of files.
cp "$top/build/test-pid" "$work/a"$'\n'"7f0000000000-7f0000001000 r-xp 00000000 00:00 1 b"
"$work/a"$'\n'* loop &
hostile=$!
own_pids+=("$hostile")
wait_for 20 grep -q "r-xp.*libc.so" "/proc/$hostile/maps"
dtrace_run -ln 'pid$target:::entry' -p $hostile
is "$(awk '{ print $3 }' "$work/out" | grep -c '^b$')" 0 "a newline in a name begins no other mapping"
positive "$(grep -c ' main *entry' "$work/out")" "whose functions are found"

done_testing
