#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# provider.t: a mechanism provider is one file (test/prov/toy.c): dtrace lists it, traces it, and gives it an id.
#
# guests: none
# needs: gcc make
. "${0%/*}/lib.sh"

ok "dtrace is built with one file more" make -s -C "$top" build/test/dtrace-toy
dtrace=$top/build/test/dtrace-toy
printf '/bin/true\n/bin/true\n/bin/true\nexit 0\n' >"$work/forks"

dtrace_run -l -P toy
is "$(awk 'NR > 1 { print $2, $3 }' "$work/out")" "toy fork" "its probe is listed"
dtrace_run -qn 'toy:::fork /args[0]->pid == $target && args[1]->real_parent->pid == $target/ { n++; }
	syscall::exit_group:entry /pid == $target/ { printf("%s %d", probeprov, n); }' \
	-c "sh $work/forks"
is "$(cat "$work/out")" "syscall 3" "its probe fires for each of three processes"
id=$("$dtrace" -ln toy:::fork | awk 'NR > 1 { print $1 }')
positive "$id" "its id in the listing"
dtrace_run -qn 'toy:::fork /pid == $target/ { printf("%d %s %s\n", id, probeprov, probename); }' \
	-c "sh $work/forks"
is "$(head -n 1 "$work/out")" "$id toy fork" "its id when it fires is its id in the listing"

done_testing
