#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-files.t: the tools about system calls and files, compared with strace's counts of the same program.
#
# guests: none
# needs: strace
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
touch a b c
program tfcat cat
program tfdd dd
reading() {
	"$work/tfcat" a nowhere b c nowhere
}

# calls OPTION...: prints strace's counts of a program: lines "COUNT CALL ERRORS".
calls() {
	strace -f -c -o "$work/strace" "$@" >"$work/program.out" 2>&1
	awk 'NF >= 5 && $1 ~ /^[0-9.]+$/ && $NF != "total" { print $4, $NF, NF == 6 ? $5 : 0 }' "$work/strace" | sort
}

# number CALL FIELD: prints a field of these lines.
number() {
	awk -v name="$1" -v field="$2" '$2 == name { n = $field } END { print n + 0 }' "$work/calls"
}

calls "$work/tfcat" a nowhere b c nowhere >"$work/calls"
positive "$(number openat 3)" "strace counts calls that fail"

tool_start PATH opensnoop -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(grep -c ' tfcat ' "$work/out")" "$(number openat 1)" "opensnoop: every file that is opened"
is "$(awk '$3 == "tfcat" && $4 >= 0 { print $5 }' "$work/out" | tail -n 3 | paste -sd ' ')" "a b c" "opensnoop: their names"
tool_start PATH opensnoop -xe -n tfcat -f nowhere
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/tfcat/ { print $1, $3, $4, $5, $6 }' "$work/out")" $'0 tfcat -1 2 nowhere\n0 tfcat -1 2 nowhere' \
	"opensnoop -xe -f: who, what, why not"

tool_start NAME errinfo -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^tfcat/ { print $2 }' "$work/out" | sort | uniq -c | awk '{ print $2, $1 }')" \
	"$(awk '$3 { print $2, $3 }' "$work/calls" | sort)" "errinfo: each call that fails"
is "$(awk '$2 == "openat" { print $3, $4 }' "$work/out" | sort -u)" "2 ENOENT" "errinfo: its number and name"
tool_start_quiet errinfo -cn tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^tfcat/ { print $5, $2 }' "$work/out" | sort)" "$(awk '$3 { print $3, $2 }' "$work/calls" | sort)" \
	"errinfo -c: how many"

# Neither tool sees the exec and the end of the program.
tool_start Tracing procsystime -a -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
awk '/Counts/ { on = 1 } on && NF == 2 && $1 !~ /SYSCALL|TOTAL|Sys/ { print $2, $1 }' "$work/out" | sort >"$work/counts"
is "$(cat "$work/counts")" "$(awk '$2 != "execve" && $2 != "exit_group" { print $1, $2 }' "$work/calls" | sort)" "procsystime: counts"
is "$(awk '/TOTAL/ { print $2 }' "$work/out" | tail -n 1)" "$(awk '{ n += $1 } END { print n }' "$work/counts")" "procsystime: their sum"
is "$(awk '/Elapsed/ { on = 1 } /CPU/ { on = 0 } on && NF == 2 && $2 ~ /^[0-9]+$/ && $2 > 0' "$work/out" | grep -vc TOTAL)" "$(wc -l <"$work/counts")" \
	"procsystime: each takes time"

tool_start SYSCALL dtruss -c -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^CALL/ { on = 1; next } on && NF == 2 { print $2, $1 }' "$work/out" | sort)" "$(cat "$work/counts")" "dtruss -c: counts"
has "$work/out" '^openat\(0x(FFFFFFFF)?FFFFFF9C, "nowhere", 0x0\)[[:space:]]+ = -1 2$' "dtruss: a path, and why not"
printf '%s a\n%s b\ntrue\n' "$work/tfcat" "$work/tfcat" >script
timeout 20 "$top/scripts/dtruss" -f -t execve sh script >"$work/out" 2>"$work/err"
is "$(grep -c "^execve(\"$work/tfcat\"" "$work/out")" 2 "dtruss -f: children of a command"

# dd prints how much it has copied.
copying() {
	"$work/tfdd" if=/dev/zero of=copy bs=1000 count=37
}
tool_start BYTES rwsnoop -n tfdd
copying 2>"$work/program.out"
tool_stop
is "$(awk -v file="$work/copy" '$4 == "W" && $6 == file { n++; sum += $5 } END { print n, sum }' "$work/out")" "37 37000" "rwsnoop: writes"
is "$(awk '$4 == "R" && $6 == "/dev/zero" { n++; sum += $5 } END { print n, sum }' "$work/out")" "37 37000" "rwsnoop: reads"
calls "$work/tfdd" if=/dev/zero of=copy bs=1000 count=37 >"$work/calls"
is "$(grep -c ' tfdd ' "$work/out")" $(($(number read 1) + $(number write 1) + $(number pread64 1))) "rwsnoop: all of them"

tool_start Tracing vfslatency -o vop_read -n tfdd
copying 2>"$work/program.out"
tool_stop
is "$(awk '/\|/ { n += $NF } END { print n + 0 }' "$work/out")" $(($(number read 1) + $(number pread64 1))) "vfslatency: a time for each read"

strace -o "$work/strace" -e trace=read,pread64,write "$work/tfdd" if=/dev/zero of=copy bs=1000 count=37 2>"$work/program.out"
bytes() {
	awk -v call="$1" '$0 ~ call && $NF > 0 { sum += $NF } END { print sum + 0 }' "$work/strace"
}
tool_start Tracing rwtop -n tfdd 2 1
copying 2>"$work/program.out"
tool_wait
is "$(awk '$4 == "tfdd" && $5 == "R" { print $6 }' "$work/out")" "$(bytes '^p?read')" "rwtop: bytes that are read"
# The last line of dd contains its own time.
between "$(awk '$4 == "tfdd" && $5 == "W" { print $6 }' "$work/out")" 37000 $(($(bytes '^write') + 20)) "rwtop: bytes that are written"
is "$(grep -c '^.*app_r' "$work/out")$(grep -c $'\033' "$work/out")" 10 "rwtop: one interval, no control of a terminal"
# A terminal is cleared before each interval.
for option in '' -C; do
	timeout 20 script -qec "$top/scripts/rwtop $option -t 1 1 1" /dev/null >"$work/out" 2>"$work/err"
	is "$(grep -c $'\033\[H\033\[J20' "$work/out") $(grep -c app_r "$work/out")" "$([ "$option" ] && echo 0 || echo 1) 1" \
		"rwtop $option: on a terminal"
done

# The tool prints nothing when it starts tracing.
sees_opened() {
	"$work/tfcat" "$1" >"$work/program.out" 2>&1
	sleep 0.2
	grep -q " tfcat $1\$" "$work/out"
}
tool_start matched filebyproc -n tfcat
wait_for 30 sees_opened c
reading >"$work/program.out" 2>&1
cat a >"$work/program.out"
tool_stop
is "$(grep -c 'openat:return tfcat nowhere$' "$work/out")" 2 "filebyproc: who opens what"
is "$(grep 'openat:return' "$work/out" | grep -vc ' tfcat ')" 0 "filebyproc -n: nobody else"
tool_start matched filebyproc -f b
wait_for 30 sees_opened b
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/openat:return/ { print $NF }' "$work/out" | sort -u)" b "filebyproc -f: one file"

done_testing
