#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# symptoms.t: fifteen broken systems, and the commands that docs/symptoms.md names for their symptoms: each command has to
# name the cause, with the number that the program itself counts.
#
# guests: none
# needs: /usr/bin/python3 curl ss
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

[ "$(/usr/bin/python3 -c 'import sys; print((3, 11) <= sys.version_info[:2] <= (3, 13))')" = True ] ||
	skip_all "no python 3.11 to 3.13"
cd "$work" || exit 1

# Each system waits for the end of its input, then misbehaves, and prints "done" with its own count.
cat >system.py <<'P'
import os, socket, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The number of samples follows from the processor time, even if a loaded machine gives it slowly.
def python():
    start = time.thread_time()
    while time.thread_time() - start < .6:
        check_twice()
    return int((time.thread_time() - start) * 1000)

def check_twice():
    n = 0
    for i in range(20000): n += i * i

# A thread calls the kernel all the time, and another one waits most of the time.
def calls():
    thread = threading.Thread(target=time.sleep, args=(.5,))
    thread.start()
    for i in range(20000):
        os.access("/etc/passwd", os.R_OK)
    thread.join()
    return 20000

def sync():
    with open("journal", "wb", buffering=0) as file:
        for i in range(25):
            file.write(b"entry")
            os.fsync(file.fileno())
    return 25

class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/report"):
            time.sleep(.08)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
    def log_message(self, *args):
        pass

def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    print("port", server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()

def config():
    for path in "/etc/syconfig/main.conf", os.getcwd() + "/syconfig.conf":
        try:
            open(path)
        except OSError:
            pass
    return 2

def killer():
    os.kill(int(sys.argv[2]), 15)
    return 1

def datagrams():
    r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    r.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    r.bind(("127.0.0.1", 0))
    print("port", r.getsockname()[1])
    # The socket stays open.
    globals()["receiver"] = r
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    lost = 40
    for i in range(40):
        s.sendto(b"m" * 200, r.getsockname())
    r.setblocking(False)
    try:
        while r.recv(500):
            lost -= 1
    except BlockingIOError:
        return lost

def writes():
    with open("big", "wb", buffering=0) as file:
        for i in range(100):
            file.write(b"x" * 10240)
    with open("small", "wb", buffering=0) as file:
        file.write(b"x")
    return 100

# Each callback blocks the loop for two milliseconds more than a power of two.
def loop():
    import asyncio
    async def main():
        for i in range(5):
            await asyncio.sleep(.01)
            time.sleep(.066)
    asyncio.run(main())
    return 5

# The option IP_LOCAL_PORT_RANGE leaves four ports.
def ports():
    server = socket.create_server(("127.0.0.1", 0))
    kept, failed = [server], 0
    for i in range(7):
        s = socket.socket()
        s.setsockopt(socket.IPPROTO_IP, 51, (50003 << 16 | 50000).to_bytes(4, sys.byteorder))
        try:
            s.connect(server.getsockname())
            kept.append(s)
        except OSError as error:
            failed += error.errno == 99
    return failed

# The client sends each question in two parts; the program counts its slow answers itself.
def parts():
    listener = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(listener.getsockname())
    server, _ = listener.accept()
    def answer():
        while server.recv(1):
            if server.recv(1) == b"b": server.send(b"!")
    threading.Thread(target=answer, daemon=True).start()
    slow = 0
    for i in range(40):
        before = time.monotonic()
        client.send(b"a")
        client.send(b"b")
        client.recv(1)
        slow += time.monotonic() - before > .035
    client.shutdown(socket.SHUT_WR)
    return slow

def zombies():
    children = []
    for i in range(9):
        child = os.fork()
        if child == 0: os._exit(0)
        children.append(child)
    for child in children[:2]: os.waitpid(child, 0)
    for child in children[2:]: os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    return 9

mode = sys.argv[1]
if mode == "server":
    server()
print("ready")
sys.stdin.read()
if mode not in ("server", "victim"):
    print("done", globals()[mode]())
time.sleep(1000)
P
cat >forks.sh <<'P'
echo ready
read line
i=0
while [ $i -lt 40 ]; do
	./sychild
	i=$((i + 1))
done
echo done 40
P

# While the shell holds the gate open, all systems wait for the end of their input.
mkfifo gate
exec 7<>gate
declare -A pids=() commands=()

# system NAME COMMAND...: starts a system under this name.
system() {
	"$work/$1" "${@:2}" <gate >"$1.log" 2>"$1.errors" 7>&- &
	pids[$1]=$!
	own_pids+=("$!")
}

# count NAME: prints the count of the system.
count() {
	sed -n 's/^done //p' "$1.log"
}

# named SYMPTOM N: prints the Nth command of the row of docs/symptoms.md with this symptom.
named() {
	awk -v row="| $1 | " -v n="$2" 'index($0, row) == 1 {
		split(substr($0, length(row)), part, "`")
		print part[2 * n]
	}' "$top/docs/symptoms.md"
}

# page NAME SYMPTOM [N]: starts the Nth command of the row for the system NAME.  Its output is in NAME.out and NAME.err.
page() {
	local command
	command=$(named "$2" "${3:-1}")
	command=${command//NAME/$1}
	command=${command//PID/${pids[$1]:-}}
	ok "the page names a command: $2: $command" test -n "$command" || return
	PATH=$top/scripts:${dtrace%/*}:$PATH env --default-signal=INT bash -c "exec $command" \
		</dev/null >"$1${3:-}.out" 2>"$1${3:-}.err" 7>&- &
	commands[$1${3:-}]=$!
	own_pids+=("$!")
}

program python /usr/bin/python3
for name in sypython sycalls sysync syserver syconfig sykiller syvictim sydatagrams sywrites syloop syports syparts syzombies; do
	ln python $name
done
for name in sylocks symemory syfiles; do
	ln -s "$top/build/test-symptoms" $name
done
program syforks dash
program sychild true

for name in python calls sync server config victim datagrams writes loop ports parts zombies; do
	system sy$name -S system.py $name
done
system sykiller -S system.py killer "${pids[syvictim]}"
for name in locks memory files; do
	system sy$name $name
done
system syforks forks.sh
for name in "${!pids[@]}"; do
	wait_for 20 grep -q ready "$name.log" || { ok "$name starts" false; note_file errors "$name.errors"; }
done

page sypython 'a program in Java, JavaScript, Python, Ruby, PHP or Perl'
page sycalls 'a program calls the kernel all the time'
page syforks 'many short programs'
page syforks 'many short programs' 2
page sylocks 'it waits for locks'
page sysync 'it writes slowly'
page syserver 'requests to a web server are slow'
page syconfig 'a file is missing'
page syvictim 'somebody kills it'
page symemory 'memory of a process grows'
page syfiles '"too many open files"'
page sydatagrams 'datagrams are lost'
page syloop 'an event loop is blocked (Node.js, asyncio)'
page syports 'local ports are used up'
page syparts 'answers take 40 ms'
page syzombies 'a parent does not wait (zombies)'
page sywrites 'a process reads and writes'
for name in "${!commands[@]}"; do
	wait_for 30 is_tracing "${commands[$name]}" || { ok "the command for $name starts" false; note_file errors "$name.err"; }
done

exec 7>&-
url=http://127.0.0.1:$(sed -n 's/^port //p' syserver.log)
curl -s "$url/page?n=[1-6]" "$url/report?n=[1-4]" >program.out
for name in "${!pids[@]}"; do
	case $name in
	syserver) ;;
	syvictim) wait_for 20 is_gone "${pids[$name]}" || ok "$name dies" false ;;
	*) wait_for 20 grep -q '^done' "$name.log" || { ok "$name works" false; note_file errors "$name.errors"; } ;;
	esac
done
# This command ends by itself, while the socket exists.
page sydatagrams 'datagrams are lost' 2
sleep 0.3
for name in "${!commands[@]}"; do
	[ "$name" = sydatagrams2 ] || kill -INT "${commands[$name]}"
done
for name in "${!commands[@]}"; do
	wait "${commands[$name]}"
	is $? 0 "the command for $name ends"
	cp "$name.err" err
	ok "and reports no drops, errors or faults" dtrace_is_quiet
done

# The checks.  Other programs run on this machine, so commands without a name or a process show more.
ms=$(count sypython)
line=$(grep -n 'for i in range(20000): n' system.py | cut -d : -f 1)
samples=$(awk -v place="/system.py:check_twice:$line$" '$0 ~ place { ours = 1 } NF == 1 && /^ *[0-9]+$/ { n += ours * $1; ours = 0 }
	END { print n + 0 }' sypython.out)
between "$samples" $((ms * 97 / 2000)) $((ms * 97 * 13 / 10000 + 10)) "a busy line of Python: a sample in each 10.3 ms"

is "$(awk 'NF == 2 && $2 + 0 { last = $1 " " $2 } END { print last }' sycalls.out | sed 's/^faccessat2*/access/')" \
	"access $(count sycalls)" "many calls: the call, and its count"

has syforks.out '(^| )sychild( |$)' "many processes: their program"
has syforks.out "(^| )${pids[syforks]}( |\$)" "and their parent"
is "$(grep -c " ${pids[syforks]} \./sychild *\$" syforks2.out)" "$(count syforks)" "and each of them"

is "$(awk '$1 == "mutex-block" { print $2, $5 } $1 == "mutex-block" && $4 < $2 * 10000000 { print "short" }' sylocks.out)" \
	"$(count sylocks) test-symptoms\`lock" "a lock: how often a thread waits for it, and how long"
has sylocks.out 'test-symptoms`wait_for_lock\+' "and where"

is "$(grep -c " sysync  *fsync  *[0-9]*  *0 $work/journal\$" sysync.out)" "$(count sysync)" "a slow writer: each fsync, and the file"

is "$(awk '$4 == 200 { print $1, $5, $6 } $6 == "/report" && $2 < 80000 { print "fast" }' syserver.out | sort)" "4 GET /report
6 GET /page" "a web server: the slow URL"

is "$(awk '$3 == "syconfig" { print $NF }' syconfig.out)" "/etc/syconfig/main.conf
$work/syconfig.conf" "a missing file: each path"

grep -w sykiller syvictim.out | grep -w "${pids[syvictim]}" >signal
has signal "(^| )${pids[sykiller]} .*(15|TERM)" "a kill: who sends which signal"

is "$(awk '/`forget_session\+/ { name = "forget_session" } /`use_buffer\+/ { name = "use_buffer" }
	/^    bytes/ { print name, $2, $4; name = "other" }' symemory.out | grep -v other)" "forget_session $(count symemory), 60," \
	"lost memory: bytes and calls of the function"

is "$(awk '/`(forget|read)_file\+/ { name = $1; gsub(/.*`|\+.*/, "", name) } /: left/ { print name, $4 }' syfiles.out)" \
	"forget_file $(count syfiles)," "lost descriptors: the function that keeps them"

positive "$(count sydatagrams)" "datagrams are lost"
ok "a full socket: as many as are lost" test "$(awk '$1 == "udpInOverflows" { print $2 }' sydatagrams.out)" -ge "$(count sydatagrams)"
is "$(sed -n "/:$(sed -n 's/^port //p' sydatagrams.log) /{n;s/.*,d\([0-9]*\)).*/\1/p}" sydatagrams2.out)" "$(count sydatagrams)" "and its port"

is "$(awk '$2 == "sywrites" { kb[$8] += $3; writes[$8] += $5 } END { for (file in kb) print kb[file], writes[file], file }' sywrites.out |
	sort -n | tail -n 1)" "1000 $(count sywrites) $work/big" "a busy disk: the largest file, and its writes"

is "$(awk '$1 == 64 { print $NF }' syloop.out)" "$(count syloop)" "a blocked event loop: how often it works for 64 ms and more"

is "$(awk '$2 == "connect" && $4 == "EADDRNOTAVAIL" { print $3, $5 }' syports.out)" "99 $(count syports)" "no local ports: each failed connect"

ok "40 ms: the program has slow answers" test "$(count syparts)" -gt 9
between "$(awk '$1 == 32 { n += $NF } END { print n + 0 }' syparts.out)" "$(count syparts)" 90 "40 ms: pauses between segments"
is "$(grep -E 'children|waited' syzombies.out | awk '{ print $NF }' | xargs)" "2 $(count syzombies)" "a parent that does not wait"

done_testing
