#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-lang.t: lockwait, fdleak, memleak and mallocstacks with functions of Java, JavaScript and Python, compared with what
# the programs count.
#
# guests: none
# needs: /usr/bin/python3
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
[ "$(/usr/bin/python3 -c 'import sys; print((3, 11) <= sys.version_info[:2] <= (3, 13))')" = True ] ||
	skip_all "no python 3.11 to 3.13"

# left FRAME: prints the descriptors of the rows with this frame.
left() {
	awk -v frame="$1" 'index($0, frame) { ours = 1 } /: left/ { n += ours * $4; ours = 0 } END { print n + 0 }' out
}

cat >leak.py <<'P'
import os, time
kept = []
def read_avatar():
    kept.append(os.open('/dev/null', 0))
def grow():
    kept.append(bytearray(500000))
time.sleep(.3)
for i in range(40):
    read_avatar()
    grow()
os._exit(0)
P
"$top/scripts/fdleak" /usr/bin/python3 leak.py >out 2>err
is "$(left leak.py:read_avatar:4) $(cat err)" "40 " "fdleak: the line of Python that opens and does not close"
"$top/scripts/memleak" -m 400000 /usr/bin/python3 leak.py >out 2>err
is "$(awk '/leak.py:grow:6/ { ours = 1 } /^    bytes/ { bytes += ours * $2; n += ours * $4; ours = 0 } END { print bytes + 0, n + 0 }' out) $(cat err)" \
	"20000040 40 " "memleak: the line of Python, its bytes and its calls"
"$top/scripts/mallocstacks" -cm 400000 /usr/bin/python3 leak.py >out 2>err
is "$(awk '/leak.py:grow:6/ { ours = 1 } NF == 1 && /^    [0-9]/ { n += ours * $1; ours = 0 } END { print n + 0 }' out) $(cat err)" "40 " \
	"mallocstacks: the line of Python"

if node --version 2>/dev/null | grep -Eq '^v(18|20|22|24)\.'; then
	cat >leak.js <<-'P'
		const fs = require('fs');
		function readAvatar() { fs.openSync('/dev/null'); }
		setTimeout(() => { for (let i = 0; i < 40; i++) readAvatar(); }, 300);
	P
	"$top/scripts/fdleak" node leak.js >out 2>err
	is "$(left readAvatar) $(cat err)" "40 " "fdleak: the function of JavaScript"
else
	skip "fdleak: JavaScript" "no known node"
fi

# A row whose stack has no frame, as of a process that is gone.
cat >fake <<'P'
#!/bin/sh
printf 'now 100\nleft 3 30 x, openat\n' >&3
P
chmod +x fake
DTRACE=$work/fake "$top/scripts/fdleak" sleep 0 >out 2>err
is "$(cat out)" "(no frames)
    x, openat: left 3, average age 90 ms" "fdleak: a row without a frame"

# A lock of Python and a lock of the interpreter, at one line, in two tables.
cat >fake <<'P'
#!/bin/sh
i=0
while [ $i -lt 2 ]; do
	printf '\nlibc.so.6`futex+1\na.py:f:3\nrow\t1\t10\t10\tpy\t0x1000\n\nlibc.so.6`futex+2\n0x1234\na.py:f:3\nrow\t2\t30\t20\tpy\t0x2000\n' >&3
	printf '\nlibc.so.6`futex+2\na.py:f:3\nrow\t4\t50\t50\tpy\tpython`_PyRuntime+0x10\n\nx`idle+1\nrow\t1\t900\t900\tpy\t0x9\n' >&3
	printf 'row\t1\t7\t7\tother\t0x3000\n\nx`g+1\nrow\t1\t800\t800\tother\tx`lock\ntable ends\n' >&3
	i=$((i + 1))
done
P
DTRACE=$work/fake "$top/scripts/lockwait" 1 2 >out 2>err
table='x`idle+1
    py, 0x9, no function of a language
    waits 1, us 900, longest 900

(no frames)
    other, 0x3000
    waits 1, us 7, longest 7

libc.so.6`futex+2
0x1234
a.py:f:3
    py, several futexes
    waits 3, us 40, longest 20

libc.so.6`futex+2
a.py:f:3
    py, python`_PyRuntime+0x10
    waits 4, us 50, longest 50

x`g+1
    other, x`lock
    waits 1, us 800, longest 800'
is "$(cat out)" "$table

$table" "lockwait: rows of one line, with the lock if it has a name"

if ! javac -version 2>/dev/null | grep -Eq '^javac (17|21|25)\b'; then
	skip "lockwait: Java" "no javac 17, 21 or 25"
	done_testing
	exit
fi
# Five threads wait for a monitor, and the program ends when they have had it.
cat >Depot.java <<'J'
public class Depot {
	static final Object door = new Object();
	static int entries;
	static void enter() throws Exception {
		synchronized (door) { entries++; Thread.sleep(10); }
	}
	public static void main(String[] a) throws Exception {
		System.in.read();
		Thread[] threads = new Thread[6];
		for (int i = 0; i < 6; i++) {
			threads[i] = new Thread(() -> { try { for (int j = 0; j < 40; j++) enter(); } catch (Exception e) { } });
			threads[i].start();
		}
		for (Thread t : threads) t.join();
		System.out.println(entries);
		System.in.read();
	}
}
J
javac Depot.java
mkfifo door
java -cp . Depot <door >entries &
java=$!
own_pids+=("$java")
exec 7>door
sleep 0.5
tool_start Tracing lockwait -p "$java" 7>&-
echo >&7
wait_for 30 test -s entries
tool_stop
echo >&7
exec 7>&-
awk 'BEGIN { RS = ""; FS = "\n" } /Depot.enter:5/ && !/Thread.sleep/ { print NR } END { print "all", NR }' out >rows
is "$(grep -c '^[0-9]' rows) $(awk '/^[0-9]/ { print $1 }' rows)" "1 $(sed -n 's/^all //p' rows)" "lockwait: a monitor of Java is one row, and the last"
positive "$(grep -c 'no function of a language$' out)" "lockwait: idle threads of the JVM are apart"
is "$(awk 'BEGIN { RS = ""; FS = "\n" } /no function of a language/ { if (others) print "late" } !/no function/ && /waits/ { others = 1 }' out)" "" \
	"lockwait: and first"

# The JVM counts its collections itself.
cat >Collect.java <<'J'
import java.lang.management.*;
import java.util.*;
public class Collect {
	static List<byte[]> kept = new ArrayList<>();
	public static void main(String[] a) throws Exception {
		for (int i = 0; i < 4000; i++) {
			kept.add(new byte[20000]);
			if (kept.size() > 400) kept.clear();
		}
		System.gc();
		System.gc();
		for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans())
			System.out.println("counted " + bean.getCollectionCount());
	}
}
J
javac Collect.java
if grep -q gc__begin "$(dirname "$(dirname "$(readlink -f "$(type -P java)")")")/lib/server/libjvm.so"; then
	"$top/scripts/javagc" java -XX:+UseSerialGC -Xmx64m Collect >out 2>err
	is "$(awk 'NF == 5 && $4 == "part"' out | grep -c .) $(awk 'NF == 5 && $4 == "full"' out | grep -c .) $(cat err)" \
		"$(sed -n 's/^counted //p' out | paste -sd ' ') " "javagc: collections of the young and of all objects, as the JVM counts them"
	positive "$(grep -c GenCollectForAllocation out)" "javagc: the operation"
else
	skip "javagc" "this JVM has no static probes"
fi
done_testing
