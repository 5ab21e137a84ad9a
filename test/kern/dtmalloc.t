#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# dtmalloc.t: the dtmalloc provider, compared with the allocations of the kernel for a program (test/kern/events.c), and
# with the names in /proc/slabinfo.
#
# guests: 6.1
. "${0%/*}/lib.sh"

n=200
[ -z "${GUEST:-}" ] || n=50

# Tracing allocates memory itself, in interrupts of the traced code.
is_quiet() {
	sed -i '/nested firings missed/d' "$work/err"
	dtrace_is_quiet
}

# traced COMMAND D [undisturbed]: traces until all is freed and the program has printed its count.
traced() {
	"${@:3}" dtrace_run -q -c "$top/build/test-events $1 wait" -n "$2
	syscall::pause:entry /pid == \$target/ { is_done = 1; }
	tick-10 /is_done && freed == $n/ { exit(0); } tick-40s { exit(0); }"
	ok "$1: dtrace ends well" is_quiet
	has "$work/out" "^own $n\$" "$1: the program has its way"
}

# A message of 1000 bytes has 48 more in front.  The receiver frees the memory.
traced "message $n" '
dtmalloc:::malloc /pid == $target && args[3] == 1048/
{ mine[arg1] = probefunc; @malloc["malloc", probefunc] = count(); @[stringof(args[0]->name) == probefunc] = count(); }
dtmalloc:::free /mine[arg1] == probefunc/
{ freed++; mine[arg1] = 0; @free["free", probefunc, args[3] == args[0]->object_size && args[3] >= 1048] = count(); }'
type=$(awk '$1 == "malloc" { print $2; exit }' "$work/out")
is "$(value malloc "$type")" $n "message: each is allocated, all from $type"
is "$(value free "$type" 1)" $n "message: each is freed, with the size of such objects"
is "$(value 1)" $n "message: args[0] is the cache"
ok "message: the kernel has a cache of this name" grep -q "^$type " /proc/slabinfo

# The memory of an inode is freed in an interrupt, when no processor reads it any more.
traced "memfd $n" '
dtmalloc::shmem_inode_cache:malloc /pid == $target/
{ mine[arg1] = 1; @malloc["malloc", args[3] == args[0]->object_size] = count(); }
dtmalloc::shmem_inode_cache:free /mine[arg1]/ { freed++; mine[arg1] = 0; @free["free"] = count(); }' undisturbed
is "$(value malloc 1)" $n "inodes: each is allocated"
is "$(value free)" $n "inodes: each is freed"

dtrace_run -q -c "$top/build/test-events memfd $n" -n 'dtmalloc::shmem_inode_cache:malloc
/pid == $target/ { @[stack()] = count(); } dtmalloc:::malloc { @all[probefunc] = count(); }
dtmalloc:::free { @all[probefunc] = count(); }'
is "$(grep -A 1 '^ *$' "$work/out" | sed -n 's/^ *vmlinux`\(kmem_cache_alloc\).*/\1/p' | sort -u)" kmem_cache_alloc \
	"the stack begins where memory is asked for"
awk 'NF == 2 && $2 > 0 { print $1 }' "$work/out" | grep -v '^own$' >"$work/types"
positive "$(grep -c . "$work/types")" "several caches are used"
awk 'NR > 2 { print $1 }' /proc/slabinfo | sort -u >"$work/caches"
is "$(sort -u "$work/types" | comm -23 - "$work/caches")" "" "all of them are in /proc/slabinfo"

dtrace_run -l
is "$(awk '$2 == "dtmalloc" && $NF == "malloc" { print $(NF - 1) }' "$work/out" | sort -u | comm -3 - "$work/caches")" "" \
	"the listing has all of /proc/slabinfo"

for link in /sys/kernel/slab/*; do
	name=${link##*/}
	[ -L "$link" ] && [[ $name != :* ]] && ! grep -qxF "$name" "$work/caches" && break
done
dtrace_run -n "dtmalloc::$name:malloc { exit(0); }"
is "$status" 1 "$name, which the kernel has merged, is refused"
has "$work/err" "merged this cache into " "a message names the cache that has its objects"

done_testing
