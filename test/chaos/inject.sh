#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# inject.sh SEED COUNT: fails one system call of a short run: of dtrace, its keeper and its jail.
# The run ends with its output, or with a message.
rounds=250
. "${0%/*}/lib.sh"

type -P strace >/dev/null || { echo "chaos: inject needs strace" >&2; exit 2; }
start_load calls 1000000000 500
sums='syscall::lseek:entry /pid == $target/ { @made = count(); }
	syscall::lseek:entry /pid == $target/ { printf("x %d\n", arg1); }
	tick-100ms { exit(0); } END { printa("made %@d\n", @made); printf("end\n"); }'
stacks='chaos$target:::step { @made = count(); @[ustack()] = count(); } tick-100ms { exit(0); }
	END { printa("made %@d\n", @made); printf("end\n"); printa("x %@d %k\n", @); }'

# arguments MODE: sets the array $arguments.
arguments() {
	case $1 in
	records) arguments=(-qn "$sums" -p "$target") ;;
	file) arguments=(-qn "$sums" -p "$target" -o "$work/out/file") ;;
	save) arguments=(-qn "$sums" -p "$target" --save "$work/out/saved") ;;
	stack) arguments=(-qn "$stacks" -p "$target") ;;
	flame) arguments=(-qn "$stacks" -p "$target" --flame "$work/out/picture.svg") ;;
	esac
}

# strace_start OPTION...: starts dtrace below strace, which ends as dtrace does.
strace_start() {
	in_group dtrace strace -f -qq -o "$work/calls" "$@" "$dtrace" "${arguments[@]}" </dev/null >"$work/out/text" 2>"$work/err" &
	pid=$!
}

# errors CALL: sets $picked to an error that this call can have.
errors() {
	case $1 in
	mmap | mprotect | mremap | munmap | madvise) picked=ENOMEM ;;
	openat | open | memfd_create | socketpair | pidfd_open | epoll_create1 | pipe2) pick ENOENT EMFILE ENOMEM EACCES EPERM ;;
	read | pread64 | recvmsg) pick EIO EINTR ENOMEM ;;
	write | pwrite64 | sendmsg | writev) pick EIO ENOSPC EINTR ;;
	poll | epoll_wait | ppoll | wait4 | waitid) pick EINTR ENOMEM ;;
	bpf | perf_event_open) pick ENOMEM EPERM EMFILE ENOSPC EINVAL ;;
	clone | clone3 | fork | vfork) pick EAGAIN ENOMEM ;;
	kill | prctl) pick ESRCH EPERM ;;
	*) pick EIO ENOMEM EPERM EINVAL ;;
	esac
}

# The output that status 0 promises.
check_output() {
	local made
	[ $status = 0 ] || return
	made=$(cat "$work/out/text" "$work/out/file" 2>/dev/null | sed -n 's/^made //p')
	[ -n "$made" ] || [ -s "$work/err" ] || { fault silent "status 0 without the output"; return; }
	case $mode in
	save)
		[ "$(grep -c '"message":"x ' "$work/out/saved" 2>/dev/null)" = "$made" ] || [ -s "$work/err" ] ||
			fault wrong "status 0 with other records in the saved run"
		;;
	stack | flame)
		[ "$(awk '/^x / { n += $2 } END { print n + 0 }' "$work/out/text")" = "${made:-0}" ] || [ -s "$work/err" ] ||
			fault wrong "status 0 with other stacks"
		;;&
	flame) grep -q '</svg>' "$work/out/picture.svg" 2>/dev/null || [ -s "$work/err" ] || fault silent "status 0 without a picture" ;;
	records | file) check_sum "$work/out/text" "$work/out/file" ;;
	esac
}

modes=(records stack save file flame)
declare -A known=()
for ((i = 0; i < count; i++)); do
	begin_round
	mode=${modes[i % ${#modes[@]}]}
	arguments "$mode"
	if [ -z "${known[$mode]:-}" ]; then
		# brk(2) never returns an error, so the C library would take one for an address.
		strace_start
		finish
		known[$mode]=$(awk '{ sub(/\(.*/, "", $2) } $2 ~ /^[a-z]/ && $2 !~ /^(exit|exit_group|execve|rt_sigreturn|brk)$/ { n[$2]++ }
			END { for (call in n) print call, n[call] }' "$work/calls" | sort)
		rm -rf "$work"/out/*
	fi
	mapfile -t calls <<<"${known[$mode]}"
	below ${#calls[@]}
	read -r call times <<<"${calls[n]}"
	below "$times"
	when=$((n + 1))
	errors "$call"
	strace_start -e "inject=$call:error=$picked:when=$when"
	finish
	# Without standard error no message can be seen.
	grep -q 'write(2,.*INJECTED' "$work/calls" || {
		faults=$((deaths + hangs + silent + wrong))
		check_death
		check_silent "$mode"
		check_output
		[ $faults = $((deaths + hangs + silent + wrong)) ] || {
			echo "#   $mode, inject=$call:error=$picked:when=$when"
			grep INJECTED "$work/calls" | cut -c1-150 | sed 's/^/#   /'
		}
	}
	end_round
done
report
