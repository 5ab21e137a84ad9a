#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# faults.t: pages that a process reads into the cache after a fault are neither major faults nor copies.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

cat >"$work/faults.py" <<'END'
import ctypes, mmap, os, resource, sys
libc = ctypes.CDLL(None)
PAGE = 4096
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(file, bytes(PAGE * 40))
def forget():
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
def major():
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt
private = mmap.mmap(file, PAGE * 20, flags=mmap.MAP_PRIVATE)
for page in range(20):
    private[page * PAGE]
at = ctypes.addressof(ctypes.c_char.from_buffer(private))
libc.getpriority(0, 0)
before = major()
# Pages that are mapped stay in memory: these are others.
for page in range(20, 40):
    forget()
    with mmap.mmap(file, PAGE * 40, prot=mmap.PROT_READ) as memory:
        memory.madvise(mmap.MADV_RANDOM)
        memory[page * PAGE]
    forget()
    os.pread(file, PAGE, page * PAGE)
print("major", major() - before)
libc.getpriority(0, 1)
for page in range(20):
    forget()
    libc.memset(ctypes.c_void_p(at + page * PAGE), 1, 1)
    os.pread(file, PAGE, (20 + page) * PAGE)
libc.getpriority(0, 2)
END
dtrace_run -qc "/usr/bin/python3 $work/faults.py $work/file" -n '
	syscall::getpriority:entry /pid == $target/ { part = arg1 + 1; }
	vminfo:::maj_fault /pid == $target && part == 1/ { major++; }
	vminfo:::cow_fault /pid == $target && part == 2/ { copies++; }
	END { printf("saw %d %d\n", major, copies); }'
want=$(awk '$1 == "major" { print $2 }' "$work/out")
positive "$want" "the process makes major faults"
is "$(awk '$1 == "saw" { print $2 }' "$work/out")" "$want" "maj_fault: pages that the process reads are none"
is "$(awk '$1 == "saw" { print $3 }' "$work/out")" 20 "cow_fault: pages that the process reads are none"
done_testing
