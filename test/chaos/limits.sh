#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# limits.sh SEED COUNT: small limits of resources, a full disk, closed descriptors, and readers that are slow or end.
# The run ends with its output, or with a message.
rounds=100
. "${0%/*}/lib.sh"

start_load calls 1000000000 100
disk=$work/disk
mkdir "$disk"
mount -t tmpfs -o size=64k none "$disk" || { disk=; echo "chaos: no tmpfs" >&2; exit 2; }
sums='syscall::lseek:entry /pid == $target/ { @made = count(); }
	syscall::lseek:entry /pid == $target/ { printf("x %d\n", arg1); }
	chaos$target:::step { @[ustack()] = count(); }
	tick-200ms { exit(0); } END { printa("made %@d\n", @made); printf("end\n"); trunc(@); }'
filled='tick-500hz { @[ustack(), timestamp] = count(); printf("%0400d\n", 1); } tick-400ms { exit(0); }'

# limited OPTION VALUE: runs dtrace with a limit of ulimit.
limited() {
	local option=$1 value=$2
	(
		ulimit -c 0
		ulimit -S "$option" "$value" || exit
		in_group dtrace "$dtrace" -qn "$sums" -p "$target"
	) </dev/null >"$work/out/text" 2>"$work/err" &
	pid=$!
	finish
	check_death
	check_silent "ulimit $option $value"
	[ $status = 0 ] && check_sum "$work/out/text"
}

# full OPTION: an output to a disk that is too small.
full() {
	rm -f "$disk"/*
	run -qn "$filled" "$1" "$disk/out"
	check_death
	check_silent "$1 on a full disk"
	[ $status != 0 ] || [ "$(stat -c %s "$disk/out")" -lt 65536 ] || [ -s "$work/err" ] || fault silent "$1: status 0 on a full disk"
}

# descriptors CLOSED: some of the descriptors 0, 1 and 2 are closed or full.
descriptors() {
	(
		case $1 in *0*) exec <&- ;; *) exec </dev/null ;; esac
		case $1 in *1*) exec >&- ;; *f*) exec >/dev/full ;; *) exec >"$work/out/text" ;; esac
		case $1 in *2*) exec 2>&- ;; *) exec 2>"$work/err" ;; esac
		in_group dtrace "$dtrace" -qn "$sums" -p "$target"
	) &
	pid=$!
	finish
	check_death
	case $1 in
	*1*2* | *f*2*) [ $status != 0 ] || fault silent "status 0 with descriptors $1" ;;
	*1* | *f*) [ $status != 0 ] && [ -s "$work/err" ] || fault silent "status $status with descriptors $1" ;;
	*) [ $status = 0 ] && check_sum "$work/out/text" || fault silent "status $status with descriptors $1" ;;
	esac
}

# reader COMMAND...: a reader that is slow or that ends.
reader() {
	mkfifo "$work/out/fifo"
	"$@" <"$work/out/fifo" >"$work/out/read" 2>/dev/null &
	local reader=$!
	in_group dtrace "$dtrace" -qn "$sums" -p "$target" </dev/null >"$work/out/fifo" 2>"$work/err" &
	pid=$!
	finish
	wait $reader
	check_death PIPE
	[ $status -gt 128 ] || check_silent "a reader"
	case $status:$1 in 0:slow_reader | 0:cat) check_sum "$work/out/read" ;; esac
}

slow_reader() {
	local line
	while read -r line; do
		echo "$line"
		((++lines % 200)) || sleep 0.02
	done
}

for ((i = 0; i < count; i++)); do
	begin_round
	case $((i % 5)) in
	0)
		below 60
		limited -n $((n + 4))
		;;
	1)
		pick -v -v -f -u -l -s
		below 400
		case $picked in
		-v) limited -v $((n * 1024 + 8192)) ;;
		-f) limited -f $((n % 8)) ;;
		-s) limited -s $((n + 64)) ;;
		*) limited "$picked" $((n % 32)) ;;
		esac
		;;
	2)
		pick -o --save --flame --html --chrome --perfetto --folded --pprof
		full "$picked"
		;;
	3)
		pick 0 1 2 01 12 02 012 f f2 0f
		descriptors $picked
		;;
	4)
		pick 'head -n 3' 'head -c 1' true slow_reader 'sleep 0.5' cat
		reader $picked
		;;
	esac
	end_round
done
report
