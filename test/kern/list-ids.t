#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# list-ids.t: the ids of probes that dtrace -l prints.
#
# guests: none
. "${0%/*}/lib.sh"

# The id of a probe does not depend on libraries, descriptions or processes.
# id DESCRIPTION ARGUMENT...: prints the ids of its probes.
id() {
	local desc=$1
	shift
	"$dtrace" "$@" -ln "$desc" 2>"$work/err" | awk 'NR > 1 { print $1 }' | paste -sd,
}

mkdir "$work/libs" "$work/lib"
for i in $(seq 40); do
	echo "provider many${i}x { probe p(); };" >"$work/libs/l$i.d"
done
cp "$work/libs/l37.d" "$work/lib"
for desc in tcp:::send syscall::read:entry udp:::receive; do
	is "$(id $desc -L "$work/libs")" "$(id $desc)" "the id of $desc, with many libraries"
done
is "$(id many37x:::p -L "$work/libs")" "$(id many37x:::p -L "$work/lib")" \
	"the id of a probe of one library, with many"
dtrace_run -L "$work/libs" -l
is "$(awk 'NR > 1 { print $1 }' "$work/out" | sort -n | uniq -d | head -n 3)" "" \
	"ids are unique with many libraries"
is "$(grep -c ' many[0-9]*x ' "$work/out")" 40 "the probes of many libraries"
is "$(id tick-7s,tick-8s)" "$(id tick-7s),$(id tick-8s)" "ids of intervals, in one run and in two"

sleep 1000 &
own_pids+=($!)
# Until it sleeps, the process can still be this shell, or lack libraries, which count for the ids.
wait_for 10 grep -qx "$(printf 'Name:\tsleep')" "/proc/$!/status"
wait_for 10 grep -q '^State:.*S' "/proc/$!/status"
all=$(id "pid$!:libc:malloc:*")
is "$(id "pid$!:libc:malloc:entry")" "${all%%,*}" "the id of one probe of a process"
is "$("$dtrace" -ln "pid$!:libc::entry" | awk '$4 == "malloc" { print $1 }')" "${all%%,*}" \
	"the id of one probe of a process, as in the list of all functions"

# rows: DIALECT_LIST_HEADING
dtrace_run -x dialect=oracle -ln 'syscall::nosuch:entry'
is "$status $(wc -l <"$work/out")" "$(dtrace_run -ln 'syscall::nosuch:entry'; echo "$status") 1" "dialect=oracle: a heading over no probes"

# The dtrace program has several functions of this name.
dtrace_run -ln 'pid$target:a.out:provide:entry' -c "$dtrace -V"
is "$(awk 'NR > 1 { print $1 }' "$work/out" | uniq | wc -l)" "$(nm "$dtrace" | grep -c ' t provide$')" \
	"functions of one name are probes of their own"

done_testing
