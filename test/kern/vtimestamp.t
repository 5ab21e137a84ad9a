#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vtimestamp.t: the CPU time of threads, compared with the clock of the thread itself: of young processes, of a process
# that works, and of one that sleeps.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

cat >"$work/load.py" <<'END'
import os, time
def step():
    before = time.thread_time_ns()
    os.getppid()
    print(os.getpid(), before, time.thread_time_ns(), flush=True)
for i in range(5):
    pid = os.fork()
    if pid == 0:
        step()
        os._exit(0)
    os.waitpid(pid, 0)
end = time.monotonic() + .3
while time.monotonic() < end:
    pass
step()
time.sleep(.2)
step()
END
"$dtrace" -qn 'syscall::getppid:entry /progenyof($target)/ { printf("v %d %d\n", pid, vtimestamp); }' \
	-c "python3 $work/load.py" >"$work/out" 2>"$work/err"
# The offset of the scheduler's clock is known to some microseconds, the thread's clock is read by a call.
awk '$1 == "v" { v[$2, ++n[$2]] = $3; next } NF == 3 { at[$1, ++m[$1]] = $2 " " $3; pids[$1] }
	END {
		for (pid in pids)
			for (i = 1; i <= m[pid]; i++) {
				split(at[pid, i], t)
				total++
				if (v[pid, i] >= t[1] - 50000 && v[pid, i] <= t[2] + 50000)
					good++
				else
					print "vtimestamp", v[pid, i], "not in", at[pid, i]
			}
		print good + 0, "of", total + 0
	}' "$work/out" >"$work/compared"
is "$(tail -n 1 "$work/compared")" "7 of 7" "vtimestamp is the time of the thread's own clock" || note_file compared "$work/compared"

done_testing
