#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-leak.t: tools about leaked memory and descriptors, files, HTTP and dropped segments, compared with the counts of
# programs, and with curl.
#
# guests: none
# needs: curl nginx openssl python3
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1

# ends_of TOOL...: prints "FUNCTION NUMBERS" for each stack of the output: the function of the program, and the last line.
ends_of() {
	awk '/`keep_/ { sub(/.*`/, ""); sub(/\+.*/, ""); name = $0 } /^    (bytes|[^ ]*, )/ { sub(/, average.*/, ""); sub(/^ */, ""); print name, $0; name = "" }' "$1" | sort
}

"$top/scripts/memleak" "$top/build/test-leaks" >out 2>err
is "$? $(cat err)" "0 " "memleak ends"
is "$(ends_of out | grep keep_)" "keep_aligned bytes 4096, allocations 1
keep_calloc bytes 105, allocations 5
keep_malloc bytes 1000, allocations 10
keep_realloc bytes 5000, allocations 1" "memleak: bytes and calls of each function"
"$top/scripts/memleak" -m 1000 -t 1 -f 2 "$top/build/test-leaks" >out 2>err
is "$(ends_of out)" "keep_realloc bytes 5000, allocations 1" "memleak -m -t"
is "$(grep -c '`' out)" 2 "memleak -f"

"$top/scripts/fdleak" "$top/build/test-leaks" >out 2>err
is "$? $(cat err)" "0 " "fdleak ends"
is "$(ends_of out | grep keep_)" "keep_copies test-leaks, dup2: left 1
keep_files test-leaks, openat: left 7
keep_pipe test-leaks, pipe2: left 2" "fdleak: descriptors of each function"

# Files, compared with the output of the program.
program tmfiles python3
cat >files.py <<'P'
for i in range(3):
    with open('big', 'wb', buffering=0) as f:
        for j in range(10):
            f.write(b'x' * 4096)
    with open('big', 'rb', buffering=0) as f:
        while f.read(8192):
            pass
import os
with open('gone', 'wb', buffering=0) as f:
    os.unlink('gone')
    f.write(b'x' * 5000)
P
tool_start Tracing filetop -Cn tmfiles 60
"$work/tmfiles" files.py
tool_stop
is "$(awk '$8 ~ /\/big$/ { print $2, $3, $4, $5, $6, $7 }' out)" "tmfiles 240 15 30 120 120" "filetop: calls and kilobytes"
is "$(awk '/gone/ { print $3, $8, $9 }' out)" "4 $work/gone (deleted)" "filetop: a file that no directory has"
ok "filetop: what is largest is last" test "$(awk 'NF == 8 && $1 + 0 { last = $8 } END { print last }' out)" = "$work/big"

# Memory that a cgroup does not have.
if [ -d /sys/fs/cgroup/memory ]; then
	limited=/sys/fs/cgroup/memory/dtr$$ limit=memory.limit_in_bytes
else
	root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	limited=$root/dtr$$-oom limit=memory.max
	echo +memory >"$root/cgroup.subtree_control"
fi
if mkdir "$limited" 2>/dev/null && echo 30000000 >"$limited/$limit"; then
	! echo 0 2>/dev/null >"$limited/memory.swap.max" || true
	program tmeats python3
	tool_start Tracing oomkill -n tmeats
	bash -c 'echo $$ >"$1/cgroup.procs"; exec ./tmeats -S -c "
import os
print(os.getpid(), flush=True)
x = bytearray(100000000)
for i in range(0, len(x), 4096): x[i] = 1"' sh "$limited" >pid 2>program.out
	is $? 137 "a program is killed"
	tool_stop
	is "$(awk '$1 + 0 { print $1, $2, $4, $5, NF }' out)" "$(cat pid) tmeats $(cat pid) tmeats 5" "oomkill: who is killed, and who asked"
	between "$(awk '$1 + 0 { print $3 }' out)" 100000 2000000 "oomkill: its memory"
	rmdir "$limited"
else
	skip "oomkill" "no limits of memory in cgroups"
fi

# A server of each kind: nginx, and a server that ends the connection after each answer.
mkdir site
head -c 300000 /dev/zero >site/big.bin
echo small >site/small
chmod -R a+rX "$work"
cat >nginx.conf <<C
pid $work/nginx.pid; error_log /dev/null; daemon off; master_process off; user root;
events {}
http { log_format own '\$status \$body_bytes_sent \$request_time \$request'; access_log $work/access own; sendfile on;
	server { listen 127.0.0.1:8771; root $work/site; location /slow/ { limit_rate 200k; alias $work/site/; } }
	server { listen 127.0.0.1:8773 ssl; ssl_certificate $work/cert; ssl_certificate_key $work/key; root $work/site; } }
C
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out cert -days 2 -subj /CN=x 2>/dev/null
cp "$(type -P nginx)" tmnginx
"$work/tmnginx" -c "$work/nginx.conf" -p "$work" 2>/dev/null &
own_pids+=("$!")
wait_for 10 curl -s -o /dev/null http://127.0.0.1:8771/small
# nginx logs a request after the client has its answer.
logged() {
	[ "$(wc -l <access)" -ge "$1" ]
}
wait_for 10 logged 1
: >access
together_start httplat -ln tmnginx : nginxsnoop -n tmnginx
curl -sI 'http://127.0.0.1:8771/small?x=1' http://127.0.0.1:8771/none http://127.0.0.1:8771/big.bin >program.out
curl -s -o /dev/null -w '%{time_total}\n' http://127.0.0.1:8771/slow/big.bin >took
curl -s -o /dev/null http://127.0.0.1:8771/big.bin
wait_for 10 logged 5
together_stop
is "$(awk '$1 + 0 { print $3, $5, $6 }' httplat.out)" "$(awk '{ gsub(/"/, ""); print $1, $4, $5 }' access)" "httplat -l: each request, and its status"
is "$(awk '$1 + 0 { print $3, $4, $5, $6 }' nginxsnoop.out)" "$(awk '{ print $1, $4, $5, $6 }' access)" "nginxsnoop: the same"
us=$(awk '$6 == "/slow/big.bin" { print $2 }' httplat.out)
between "${us:-0}" 300000 "$(awk '{ printf "%d", $1 * 1000000 + 50000 }' took)" "httplat: the time of the whole answer"
is "$(awk '$6 == "/big.bin" && $4 > 300000 { n++ } END { print n + 0 }' httplat.out)" 1 "httplat: bytes of a large answer"
together_start httplat -n tmnginx : nginxsnoop -cn tmnginx
for i in 1 2 3 4 5; do
	curl -s "http://127.0.0.1:8771/small?n=$i" "http://127.0.0.1:8771/none?n=$i" >program.out
done
together_stop
is "$(awk '$1 + 0 { print $1, $4, $5, $6 }' httplat.out | sort)" "5 200 GET /small
5 404 GET /none" "httplat: counted without queries"
is "$(awk '$1 + 0 { print $1, $3, $4, $5 }' nginxsnoop.out | sort)" "5 200 GET /small
5 404 GET /none" "nginxsnoop -c: the same"
tool_start PID httplat -lp "$(cat nginx.pid)"
curl -sk https://127.0.0.1:8773/small https://127.0.0.1:8773/none >program.out
tool_stop
is "$(awk '$1 + 0 { print $3, $5, $6 }' out)" "200 GET /small
404 GET /none" "httplat -p: what libssl encrypts"
program tmserver python3
cat >server.py <<'P'
from http.server import *
class H(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        self.send_response(201); self.end_headers()
        for i in range(3):
            self.wfile.write(b'part')
HTTPServer(('127.0.0.1', 8772), H).serve_forever()
P
"$work/tmserver" server.py 2>/dev/null &
own_pids+=("$!")
wait_for 10 eval ': </dev/tcp/127.0.0.1/8772' 2>/dev/null
tool_start PID httplat -ln tmserver
curl -s -o /dev/null -d 'name=value' http://127.0.0.1:8772/form
tool_stop
is "$(awk '$1 + 0 { print $3, $5, $6 }' out)" "201 POST /form" "httplat: an answer without a length ends with its connection"

# The lock of Python is no pthread mutex.  Another thread holds it, and the program prints how long it has waited.
program tmlocks python3
cat >locks.py <<'P'
import threading, time
lock, held, asks = threading.Lock(), threading.Event(), threading.Event()
def holder():
    for i in range(5):
        with lock:
            held.set()
            asks.wait()
            asks.clear()
            time.sleep(0.04)
        while held.is_set():
            time.sleep(0.001)
waited = 0
def taker():
    global waited
    for i in range(5):
        held.wait()
        began = time.monotonic_ns()
        asks.set()
        lock.acquire(); waited += time.monotonic_ns() - began
        held.clear()
        lock.release()
time.sleep(0.3)
a = threading.Thread(target=holder); b = threading.Thread(target=taker); a.start(); b.start(); a.join(); b.join()
print(waited // 1000)
P
tool_start Tracing lockwait -n tmlocks
"$work/tmlocks" locks.py >waited
tool_stop
awk '/locks\.py:taker:19$/ { on = 1 } /^$/ { on = 0 } on && /waits / { gsub(",", ""); n += $2; us += $4 } END { print n + 0, us + 0 }' out >rows
between "$(cut -d ' ' -f 1 rows)" 3 100 "lockwait: waits for a lock of Python, with the function that waits"
between "$(cut -d ' ' -f 2 rows)" 90000 "$(cat waited)" "lockwait: how long"

# Drawn by a tool.
"$top/scripts/memleak" --save saved "$top/build/test-leaks" >out 2>err
positive "$(grep -c '"aggregation"' saved)" "--save in front of a tool's options"
"$top/scripts/hotuser" -p $$ --flame x >out 2>err
is "$? $(head -n 1 err)" "2 hotuser: options with -- go before the others: --flame, --heat, --html, --save" "and not after them"
"$top/scripts/offcpu" --flame flame.svg -u "$top/build/test-leaks" >out 2>err
is $? 2 "a tool without that operand refuses it"

# Segments for a port that nobody listens at, and their reasons.
if "$dtrace" -lvn ip:::drop-in 2>/dev/null | grep -q '^	Sites'; then
	together_start tcpdrop -P 8779
	for i in 1 2 3; do
		curl -s http://127.0.0.1:8779/
	done
	together_stop
	is "$(awk '$1 == "I" { print $4, $5, $6, $7 }' tcpdrop.out | sort | uniq -c | xargs)" "3 127.0.0.1 8779 SYN NO_SOCKET" "tcpdrop: each segment, and why"
else
	skip "tcpdrop" "this kernel does not report why it drops packets"
fi
done_testing
