# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
#
# lib.sh: functions for kinds of chaos.  A kind sources this file, repeats begin_round ... end_round, and ends with
# report.
#
# A kind sets $rounds, the default of COUNT, before.  The random numbers come from the seed.  dtrace and all that it starts run in a cgroup of the kind, traced programs in
# another, so what is left behind is known.  The last line is "row KIND ROUNDS DEATHS HANGS LEFT SILENT WRONG"; a line
# with "# " before it tells of each fault.
set -u
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH ASAN_OPTIONS=detect_leaks=0
top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
here=$top/test/chaos
dtrace=${DTRACE:-$top/build/dtrace}
kind=${0##*/}
kind=${kind%.sh}
seed=${1:-1} count=${2:-$rounds}
RANDOM=$seed
work=$(mktemp -d)
load=$work/load
round=0 deaths=0 hangs=0 left=0 silent=0 wrong=0
targets=()
limit=15 # seconds until a run hangs

if [ ! -x "$top/build/chaos/load" ] || [ "$here/load.c" -nt "$top/build/chaos/load" ]; then
	mkdir -p "$top/build/chaos"
	"$dtrace" -h -s "$here/load.d" -o "$top/build/chaos/load.h" &&
		gcc -O1 -g -I "$top/build/chaos" -o "$top/build/chaos/load" "$here/load.c" || exit 2
fi
cp "$top/build/chaos/load" "$load"
mkdir "$work/tmp" "$work/out"
export TMPDIR=$work/tmp

root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$root" ] || { echo "chaos: no cgroup2 is mounted" >&2; exit 2; }
cgroup=$root/chaos$$
mkdir "$cgroup" "$cgroup/dtrace" "$cgroup/load" || exit 2

cleanup() {
	local side
	for side in load dtrace; do
		end_all "$side"
		wait_for rmdir "$cgroup/$side"
	done 2>/dev/null
	rmdir "$cgroup"
	[ -z "${disk:-}" ] || umount "$disk"
	[ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# end_all load|dtrace: ends the processes of this cgroup.
end_all() {
	local pid
	while read -r pid; do
		kill -KILL "$pid" 2>/dev/null
		kill -CONT "$pid" 2>/dev/null
	done <"$cgroup/$1/cgroup.procs"
}

# wait_for COMMAND...: repeats the command until it succeeds, for ten seconds at most.
wait_for() {
	local end=$((SECONDS + 10))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}

# below N: sets $n to a random number.
below() {
	n=$(((RANDOM << 15 | RANDOM) % $1))
}

# pick WORD...: sets $picked to one of the words.
pick() {
	below $#
	picked=${*:n+1:1}
}

# pause MS: waits for a random time of at most MS milliseconds.
pause() {
	below $(($1 * 1000 + 1))
	sleep "$(printf '%d.%06d' $((n / 1000000)) $((n % 1000000)))"
}

# fault COLUMN TEXT: counts a fault.
fault() {
	declare -n column=$1
	column=$((column + 1))
	echo "# $kind, round $round: $1: $2"
	[ ! -s "$work/err" ] || head -n 5 "$work/err" | cut -c1-300 | sed 's/^/#   /'
}

begin_round() {
	round=$((round + 1))
	rm -rf "$work/out"
	mkdir "$work/out"
	: >"$work/err"
}

# in_group load|dtrace COMMAND...: runs the command in this cgroup.
in_group() {
	echo $BASHPID >"$cgroup/$1/cgroup.procs" || exit
	exec "${@:2}"
}

# start ARGUMENT...: starts dtrace; sets $pid.  Its output is $work/out/text.
start() {
	in_group dtrace env --default-signal=INT,QUIT "$dtrace" "$@" </dev/null >"$work/out/text" 2>"$work/err" &
	pid=$!
}

# start_load ARGUMENT...: starts a load; sets $target.
start_load() {
	in_group load "$load" "$@" >"$work/result.$((${#targets[@]} + 1))" 2>&1 &
	target=$!
	targets+=("$target")
	wait_for grep -q " $load$" "/proc/$target/maps"
}

# is_tracing: returns success if dtrace waits for records, or has ended.
is_tracing() {
	! kill -0 "$pid" 2>/dev/null || { [[ $(cat "/proc/$pid/comm") = dtrace* ]] && [[ $(cat "/proc/$pid/wchan") = *poll* ]]; } 2>/dev/null
}

has_ended() {
	[[ $(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null) = [Z]* ]] || ! kill -0 "$pid" 2>/dev/null
}

# finish: waits for the end of dtrace; sets $status.
finish() {
	local end=$((SECONDS + limit))
	until has_ended; do
		[ $SECONDS -lt $end ] || {
			fault hangs "in $(cat "/proc/$pid/wchan"), state $(cut -d' ' -f3 "/proc/$pid/stat")"
			kill -KILL "$pid"
			break
		}
		sleep 0.02
	done
	wait "$pid" 2>/dev/null
	status=$?
}

# run ARGUMENT...: runs dtrace to its end.
run() {
	start "$@"
	finish
}

# check_death [SIGNAL...]: counts a death by a signal that is none of these, and a report of a sanitizer.
check_death() {
	local sent
	if grep -q 'ERROR: AddressSanitizer' "$work/err"; then
		fault deaths "a sanitizer"
		return
	fi
	[ "$status" -gt 128 ] || return
	for sent; do
		[ "$(kill -l "$sent")" != "$((status - 128))" ] || return
	done
	# The limit of finish() has been counted.
	[ "$status" = 137 ] || fault deaths "status $status"
}

# check_silent WHAT: counts an error without a message.
check_silent() {
	[ "$status" = 0 ] || [ "$status" -gt 128 ] || [ -s "$work/err" ] || fault silent "$1: status $status"
}

drops() {
	awk '/ drops? / && $2 ~ /^[0-9]+$/ { n += $2 } END { print n + 0 }' "$work/err"
}

# check_sum FILE...: the line "made N" is at most the number of the lines "x" and of the drops, and at least the number of
# lines.  Without the line "end", the status is not 0.  Drops that are too many are noted, but are no silent loss.
check_sum() {
	local made shown
	made=$(cat "$@" 2>/dev/null | sed -n 's/^made //p')
	shown=$(cat "$@" 2>/dev/null | grep -c '^x')
	# An aggregation without data is not printed: a busy machine may not have run the load.
	[ -n "$made" ] || ! cat "$@" 2>/dev/null | grep -q '^end$' || made=0
	if [ -z "$made" ]; then
		[ "$status" != 0 ] || [ -s "$work/err" ] || fault silent "$kind: status 0, $shown lines, and no end"
	elif [ "$made" -gt $((shown + $(drops))) ] || [ "$made" -lt "$shown" ]; then
		fault wrong "made $made, shown $shown, dropped $(drops)"
	elif [ "$made" != $((shown + $(drops))) ]; then
		echo "# $kind, round $round: drops too many: made $made, shown $shown, dropped $(drops)"
	fi
}

is_empty() {
	[ ! -s "$cgroup/$1/cgroup.procs" ]
}

orphans() {
	"$here/left.py" orphans | sort
}

no_orphans() {
	[ -z "$(comm -13 <(echo "$orphans_before") <(orphans))" ]
}

code_is_intact() {
	local pid
	for pid in "${targets[@]}"; do
		[ -z "$("$here/left.py" code "$pid" "$load" 2>/dev/null)" ] || return
	done
}

orphans_before=$(orphans)

# end_round: counts what is left behind.
end_round() {
	local file pid
	wait_for is_empty dtrace || {
		fault left "processes $(xargs ps -o comm= -p <"$cgroup/dtrace/cgroup.procs" | paste -sd ' ')"
		end_all dtrace
	}
	wait_for no_orphans || { fault left "BPF programs"; orphans_before=$(orphans); }
	wait_for code_is_intact || fault left "breakpoints"
	for file in "$work"/tmp/* "$work"/tmp/.[!.]*; do
		[ ! -e "$file" ] || { fault left "file ${file##*/}"; rm -rf "$file"; }
	done
	for pid in "${targets[@]}"; do
		case $(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null) in
		[RSD]) ;;
		*) fault left "a traced process stopped or died" ;;
		esac
	done
}

# end_loads: ends the loads, which print whether they have run right.
end_loads() {
	local i
	for i in "${!targets[@]}"; do
		kill -TERM "${targets[i]}"
		wait "${targets[i]}" 2>/dev/null
		[ "$(cat "$work/result.$((i + 1))")" = right ] || fault left "a traced process: status $?, $(cat "$work/result.$((i + 1))")"
	done
	targets=()
}

report() {
	end_loads
	echo "row $kind $round $deaths $hangs $left $silent $wrong"
	exit $((deaths + hangs + left + silent + wrong > 0))
}
