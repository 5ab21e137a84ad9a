#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sysinfo.t: the sysinfo and vminfo providers, compared with a program's own counts and the kernel's
# (test/kern/sysinfo.c).
# needs: losetup mkfs.ext4
[ -n "${SYSINFO_NAMESPACE:-}" ] || exec env SYSINFO_NAMESPACE=1 unshare --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"

# counts PROBE...: prints clauses that count each probe in the thread between its marks.
counts() {
	local probe name
	for probe; do
		name=${probe##*:}
		cat <<-EOD
		syscall::getpgid:entry /pid == \$target && arg0 == 0x7ffffff1/ { in = 1; n_$name = 0; }
		$probe /in && (tid == \$target || (probename == "sysexec" && ppid == \$target))/ { n_$name += arg0; }
		syscall::getpgid:entry /pid == \$target && arg0 == 0x7ffffff2/ { printf("seen $name %d\n", n_$name); }
		EOD
	done
}

# traced ARGUMENT... -- PROBE...: runs the program and counts these probes.
traced() {
	local command=
	while [ "$1" != -- ]; do
		command+=" $1"
		shift
	done
	shift
	dtrace_run -q -c "$top/build/test-sysinfo$command" -n "$(counts "$@")" && dtrace_is_quiet && return
	ok "dtrace ends well and drops nothing:$command" false
	note_file "standard error of dtrace" "$work/err"
}

# seen NAME: prints a count from its last printing.
seen() {
	awk -v name="$1" '$1 == "seen" && $2 == name { n = $3 } END { print n + 0 }' "$work/out"
}

own() {
	awk -v name="$1" '$1 == "own" && $2 == name { n = $3 } END { print n }' "$work/out"
}

same() {
	is "$(seen "$1")" "$(own "$1")" "$1${2:+ $2}"
}

calls='sysread syswrite readch writech sysfork sysvfork nthreads sysexec msg sema pswitch inv_swtch'
# shellcheck disable=SC2046,SC2086
traced calls -- $(printf 'sysinfo:::%s ' $calls)
for name in $calls; do
	same "$name"
done
positive "$(own pswitch)" "the thread was switched"

if may_probe_functions; then
	traced calls -- sysinfo:::namei
	same namei
else
	skip namei "the kernel lets no functions be traced"
fi

if [ "$(nproc)" -gt 1 ]; then
	traced cross -- sysinfo:::xcalls
	between "$(seen xcalls)" 1 $(($(own xcalls) + 10)) "xcalls: the other processor is asked once each time"
else
	skip xcalls "there is one processor"
fi

traced memory -- vminfo:::as_fault vminfo:::prot_fault vminfo:::zfod vminfo:::cow_fault vminfo:::maj_fault sysinfo:::trap
is $(($(seen as_fault) + $(seen prot_fault))) "$(own faults)" "as_fault and prot_fault are all faults"
is "$(seen trap)" "$(own faults)" "trap, too"
same zfod
same cow_fault
same maj_fault

# started PROGRAM PROBE...: prints a line "seen NAME COUNT" for each, for programs of this name that the test
# starts.
started() {
	local clauses probe program=$1
	shift
	for probe; do
		clauses+="$probe /execname == \"$program\" && ppid == $$/ { @[probename] = sum(arg0); } "
	done
	dtrace_start -q -n "$clauses END { printa(\"seen %s %@d\\n\", @); }" || done_testing
}

# A loop in one thread runs for as many hundredths of a second as the kernel reports.  The timer skips the time in which
# an emulated processor stands still (perf_swevent_hrtimer()), so a guest compares with the samples of another timer.
turns=60000000
[ -z "${GUEST:-}" ] || turns=2000000
mine="/execname == \"mawk\" && ppid == $$/"
dtrace_start -q -n "sysinfo:::cpu_ticks_user, sysinfo:::cpu_ticks_kernel $mine { @ticks = sum(arg0); }
	profile-99 $mine { @samples = count(); } END { printa(\"seen ticks %@d\n\", @ticks); printa(\"seen samples %@d\n\", @samples); }" ||
	done_testing
mawk -v turns=$turns 'BEGIN { for (i = 0; i < turns; i++) n += i % 7; while ((getline line <"/proc/self/stat") > 0) print line }' >"$work/stat"
dtrace_stop
ticks=$(awk '{ print $14 + $15 }' "$work/stat")
[ -z "${GUEST:-}" ] || ticks=$(seen samples)
between "$(seen ticks)" $((ticks / 2 - 5)) $((ticks * 5 / 4 + 5)) \
	"cpu_ticks_user and cpu_ticks_kernel are the time that a program has run"

# Sleeping threads leave to the idle thread or to another, as in the kernel's own trace.
naps() {
	local trace=/sys/kernel/tracing/instances/dtr$$ program=nap$$ i
	cp "$(type -P sleep)" "$work/$program"
	mkdir "$trace"
	started "$program" sysinfo:::idlethread sysinfo:::pswitch
	echo "prev_comm == \"$program\"" >"$trace/events/sched/sched_switch/filter"
	echo 1 >"$trace/events/sched/sched_switch/enable"
	# On a loaded machine few sleeps leave a processor without work.
	for i in {1..100}; do
		"$work/$program" 0.01
		[ $i -lt 20 ] || ! grep -q 'next_pid=0 ' "$trace/trace" || break
	done
	echo 0 >"$trace/events/sched/sched_switch/enable"
	dtrace_stop
	grep -v '^#' "$trace/trace" >"$work/switches"
	rmdir "$trace"
	is "$(seen idlethread)" "$(grep -c 'next_pid=0 ' "$work/switches")" "idlethread: to the idle thread"
	is "$(seen pswitch)" "$(wc -l <"$work/switches")" "pswitch: to any"
	positive "$(seen pswitch)" "a program that sleeps leaves its processor"
}
naps

# The limit of a cgroup; mawk prints nothing about a command that it could not start.
cgroup_up
limits=$(awk '$3 == "cgroup" && $4 ~ /(^|,)pids(,|$)/ { print $2; exit }' /proc/mounts)
limits=${limits:+$limits/dtr$$}
[ -z "$limits" ] || mkdir "$limits"
limits=${limits:-$cgroup}
if [ -e "$limits/pids.max" ]; then
	echo 1 >"$limits/pids.max"
	started mawk sysinfo:::procovf
	(
		echo $BASHPID >"$limits/cgroup.procs"
		exec mawk 'BEGIN { for (i = 0; i < 5; i++) system("true") }'
	) 2>/dev/null
	dtrace_stop
	is "$(seen procovf)" "$(awk '$1 == "max" { print $2 }' "$limits/pids.events")" "procovf"
	positive "$(seen procovf)" "processes could not be made"
else
	skip procovf "no limits of processes in cgroups"
fi
[ "$limits" = "$cgroup" ] || rmdir "$limits"

# Buffers that a program reads and makes dirty, compared with the kernel's own trace.  With a journal, other threads
# would make them dirty, later.
buffers() {
	local trace=/sys/kernel/tracing/instances/dtr$$ program=mkdir$$ event
	ln -s "$(type -P mkdir)" "$work/$program"
	mkdir "$trace"
	for event in touch dirty; do
		echo "comm == \"$program\"" >"$trace/events/block/block_${event}_buffer/filter"
		echo 1 >"$trace/events/block/block_${event}_buffer/enable"
	done
	started "$program" sysinfo:::lread sysinfo:::lwrite
	"$work/$program" "$work/mnt/dir" "$work/mnt/dir/a" "$work/mnt/dir/b"
	dtrace_stop
	is "$(seen lread)" "$(grep -c ' block_touch_buffer:' "$trace/trace")" lread
	is "$(seen lwrite)" "$(grep -c ' block_dirty_buffer:' "$trace/trace")" lwrite
	positive "$(seen lwrite)" "new directories are written"
	for event in touch dirty; do
		echo 0 >"$trace/events/block/block_${event}_buffer/enable"
	done
	rmdir "$trace"
}

# Requests of a program to disks, compared with the kernel's own trace: the program's own pages may have to be read,
# too.
requests() {
	local trace=/sys/kernel/tracing/instances/dtr$$ program=dd$$ number
	number=$(cat "/sys/class/block/$disk_name/dev")
	ln -s "$(type -P dd)" "$work/$program"
	mkdir "$trace"
	started "$program" sysinfo:::bread sysinfo:::bwrite sysinfo:::bawrite
	echo "comm == \"$program\"" >"$trace/events/block/block_bio_queue/filter"
	echo 1 >"$trace/events/block/block_bio_queue/enable"
	"$work/$program" if=/dev/zero of="$disk" bs=64k count=5 oflag=direct 2>/dev/null
	"$work/$program" if="$disk" of=/dev/null bs=16k count=3 iflag=direct 2>/dev/null
	echo 0 >"$trace/events/block/block_bio_queue/enable"
	dtrace_stop
	sed -n 's/.*block_bio_queue: \([0-9]*\),\([0-9]*\) \([A-Z]*\) .*/\1:\2 \3/p' "$trace/trace" >"$work/requests"
	rmdir "$trace"
	is "$(grep -c "^$number R" "$work/requests") $(grep -c "^$number W" "$work/requests")" "3 5" \
		"three blocks are read and five are written"
	is "$(seen bread) $(seen bwrite) $(seen bawrite)" "$(grep -c ' R' "$work/requests") 5 0" \
		"bread and bwrite, and who waits for them"
}

if disk_make 32; then
	requests
	mkdir -p "$work/mnt"
	mkfs.ext4 -q -O ^has_journal "$disk"
	mount "$disk" "$work/mnt"
	buffers
	umount "$work/mnt"
	mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$disk"
	mount -o commit=600,noinit_itable "$disk" "$work/mnt"
	traced disk "$work/mnt/file" -- vminfo:::maj_fault vminfo:::fspgin vminfo:::pgpgin vminfo:::fspgout \
		vminfo:::execpgin
	positive "$(own maj_fault)" "pages are read from a disk"
	same maj_fault
	same fspgin
	same fspgout
	is "$(seen pgpgin)" "$(own fspgin)" "pgpgin is fspgin, as nothing else was read"
	is "$(seen execpgin)" 0 "which is no program"
	umount "$work/mnt"
	if [ -n "${GUEST:-}" ]; then
		traced swap "$disk" -- vminfo:::maj_fault vminfo:::anonpgout vminfo:::fspgout
		same maj_fault
		same anonpgout
		is "$(seen fspgout)" 0 "which is no file"
	else
		skip "pages of swap" "the whole machine counts them"
	fi
else
	skip "pages of files" "$disk_lacks"
fi

done_testing
