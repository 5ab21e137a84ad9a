#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-wake.t: wakeuptime names the process that sends over the loopback or a veth, and "(interrupt)" for timers that
# interrupt a sender.  The programs count what they send.
#
# guests: none
# needs: /usr/bin/python3
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
net_up

cat >wake.py <<'P'
import os, socket, sys, time
def name(comm):
    open('/proc/self/comm', 'w').write(comm)
def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass
# Both sides wait for the end of the input, so that the tool traces all waits.
kind, address, comm = sys.argv[1:]
server = socket.socket(socket.AF_INET, socket.SOCK_STREAM if kind == 'tcp' else socket.SOCK_DGRAM)
server.bind((address, 0))
if kind == 'tcp': server.listen(1)
print(server.getsockname()[1], flush=True)
name(comm + 'server')
if kind == 'tcp':
    server, client = server.accept()
else:
    client = server.recvfrom(10)[1]
for i in range(40):
    if kind == 'tcp': server.recv(1)
    busy(.006)
    server.send(b'y') if kind == 'tcp' else server.sendto(b'y', client)
    if kind == 'udp' and i < 39: server.recv(1)
P
cat >client.py <<'P'
import socket, sys, time
kind, address, port, comm = sys.argv[1:]
open('/proc/self/comm', 'w').write(comm + 'client')
sys.stdin.read()
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM if kind == 'tcp' else socket.SOCK_DGRAM)
s.connect((address, int(port)))
for i in range(40):
    s.send(b'x')
    s.recv(1)
print(40)
P
# A sender without pause, and a thread on the same processor that only timers wake.
cat >timer.py <<'P'
import os, socket, sys, time
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('127.0.0.1', 0))
sleeper = os.fork()
open('/proc/self/comm', 'w').write('wasender' if sleeper else 'wasleeper')
if sleeper:
    while os.waitpid(sleeper, os.WNOHANG)[0] == 0: s.sendto(b'x', s.getsockname())
else:
    sys.stdin.read()
    for i in range(200): time.sleep(.002)
P

mkfifo gate
exec 7<>gate
# pair KIND NAMESPACE ADDRESS NAME [CLIENT'S NAMESPACE]
pair() {
	$2 /usr/bin/python3 -S wake.py "$1" "$3" "$4" >"$4.port" 7>&- &
	own_pids+=("$!")
	wait_for 10 test -s "$4.port" || ok "$4 listens" false
	$5 /usr/bin/python3 -S client.py "$1" "$3" "$(cat "$4.port")" "$4" <gate >"$4.count" 7>&- &
	own_pids+=("$!")
}
pair tcp '' 127.0.0.1 walo ''
pair udp '' 127.0.0.1 waudp ''
pair tcp "on b" "$b4" waveth "on a"
/usr/bin/python3 -S timer.py <gate 7>&- &
own_pids+=("$!")
sleeper=$!
together_start wakeuptime -m 1000 7>&-
exec 7>&-
for name in walo waudp waveth; do
	wait_for 30 test -s $name.count || ok "$name works" false
done
wait_for 30 is_gone "$sleeper" || ok "the sleeper ends" false
together_stop
for name in walo waudp waveth; do
	between "$(awk -v n=$name '$1 == n "client" && $2 == n "server" { print $3 }' wakeuptime.out)" $(($(cat $name.count) * 9 / 10)) \
		$(($(cat $name.count) + 2)) "wakeuptime: $name: the sender wakes the receiver"
done
between "$(awk '$1 == "wasleeper" && $2 == "(interrupt)" { print $3 }' wakeuptime.out)" 190 205 \
	"wakeuptime: timers wake a sleeper, while a process sends on the same processor" || note_file rows wakeuptime.out
done_testing
