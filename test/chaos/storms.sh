#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# storms.sh SEED COUNT: processes fork, execute and end, and their files are replaced, while dtrace walks their stacks
# and is stopped now and then.
rounds=60
. "${0%/*}/lib.sh"

name=storm$$
for ((i = 0; i < count; i++)); do
	begin_round
	cp "$load" "$work/out/$name"
	pick 'ustack(8)' 'ustack()' 'ustack(), jstack()'
	start -Zqn 'syscall::lseek:entry /execname == "'$name'"/ { @made = count(); @['"$picked"'] = count(); }
		chaos*:::step /execname == "'$name'"/ { @s[ustack()] = count(); }
		END { printa("made %@d\n", @made); printf("end\n"); printa("x %@d %k\n", @); }'
	wait_for is_tracing
	below 150
	in_group load "$work/out/$name" forks $((n + 20)) >/dev/null 2>&1 &
	storm=$!
	for ((j = 0; j < 3; j++)); do
		pause 100
		kill -STOP "$pid"
		cp "$load" "$work/out/new"
		pick keep replace remove
		case $picked in
		replace) mv "$work/out/new" "$work/out/$name" ;;
		remove) rm "$work/out/$name" && cp "$load" "$work/out/$name" ;;
		esac
		pause 300
		kill -CONT "$pid"
	done
	wait $storm
	kill -INT "$pid"
	finish
	check_death INT
	check_silent "a storm"
	made=$(sed -n 's/^made //p' "$work/out/text")
	shown=$(awk '/^x / { n += $2 } END { print n + 0 }' "$work/out/text")
	[ "${made:-0}" -gt 0 ] && [ "$made" = $((shown + $(drops))) ] || fault wrong "made ${made:-nothing}, shown $shown, dropped $(drops)"
	end_round
done
report
