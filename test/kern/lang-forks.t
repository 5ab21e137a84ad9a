#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# lang-forks.t: children that live for milliseconds have the functions of their parent.
#
# guests: none
. "${0%/*}/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "frames of languages are read on x86-64 only"

cat >"$work/forks.py" <<'END'
import os, time
os.dup2(os.open("/dev/null", os.O_WRONLY), 99)
def child(): os.write(99, b"x")
child()
time.sleep(.2)
for i in range(20):
    p = os.fork()
    if p == 0:
        if i % 4 == 0:
            q = os.fork()
            if q:
                os.waitpid(q, 0)
                os._exit(0)
        child()
        os._exit(0)
    os.waitpid(p, 0)
END
cat >"$work/forks.rb" <<'END'
$f = IO.new(IO.sysopen("/dev/null", "w"))
def child = $f.syswrite("yy")
child
sleep 0.2
20.times { Process.wait(fork { child; exit!(0) }) }
END
cat >"$work/forks.pl" <<'END'
open(my $f, ">", "/dev/null");
sub child { syswrite($f, "yy"); }
child();
select(undef, undef, undef, .2);
for (1 .. 20) { my $p = fork(); if (!$p) { child(); require POSIX; POSIX::_exit(0); } waitpid($p, 0); }
END
cat >"$work/forks.php" <<'END'
<?php
$f = fopen("/dev/null", "w");
function child($f) { fwrite($f, "yy"); }
child($f);
usleep(200000);
for ($i = 0; $i < 20; $i++) { $p = pcntl_fork(); if (!$p) { child($f); posix_kill(posix_getpid(), 9); } pcntl_waitpid($p, $s); }
END

# forks NAME COMMAND CONDITION FRAME
forks() {
	for stack in langstack jstack; do
		dtrace_run -qn "syscall::write:entry /progenyof(\$target) && pid != \$target && $3/ { printf(\"CHILD\"); $stack(); }" -c "$2"
		note_file errors "$work/err"
		is "$(grep -c CHILD "$work/out") $(grep -c "$4" "$work/out")" "20 20" "$1: $stack of each child"
		is "$(cat "$work/err")" "" "$1: no message"
	done
}

forks python "/usr/bin/python3 $work/forks.py" 'arg0 == 99' 'forks.py:child:3'
for of in 'ruby rb 2' 'perl pl 2' 'php php 3'; do
	read -r name suffix line <<<"$of"
	program=$(command -v "$name") || continue
	"$program" -v 2>&1 | grep -qE 'ruby 3\.[13]|v5\.(36|40)|PHP 8\.[24]' || continue
	forks "$name" "$program $work/forks.$suffix" 'arg2 == 2' "forks.$suffix:\(.*[#:]\)\?child:$line\$"
done
done_testing
