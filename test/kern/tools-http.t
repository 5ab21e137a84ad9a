#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-http.t: httplat counts the wait of requests that a server reads late, and follows all calls that move vectors: with
# empty parts, without parts, and reads that leave the data.  The client measures its own time.
#
# guests: none
# needs: /usr/bin/python3
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
cat >server.py <<'P'
import ctypes, os, socket, sys, time
open('/proc/self/comm', 'w').write('tmvectors')
libc = ctypes.CDLL(None, use_errno=True)
class Part(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('len', ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(4096)
def empty_first(fd):
    return libc.readv(fd, (Part * 3)(Part(None, 0), Part(None, 0), Part(ctypes.addressof(buffer), 4096)), 3)
def message(c):
    c.recvmsg_into([], 0, socket.MSG_PEEK | socket.MSG_TRUNC)
    c.recvmsg_into([bytearray(0), bytearray(4096)])
def peek(c):
    c.recv(100, socket.MSG_PEEK)
    c.recvmsg(4096, 0, socket.MSG_PEEK)
    time.sleep(.01)
    c.recv(4096)
def discard(c):
    c.recv(5)
    libc.recv(c.fileno(), None, 4096, socket.MSG_TRUNC)
reads = {'readv': lambda c: empty_first(c.fileno()), 'recvmsg': message, 'peek': peek, 'late': lambda c: c.recv(4096),
    'discard': discard}
head = b'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n'
writes = {'readv': lambda c: os.writev(c.fileno(), [b'', head, b'abc']), 'recvmsg': lambda c: c.sendmsg([b'', b'', head, b'abc'])}
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(8)
print(s.getsockname()[1], flush=True)
for name in sys.argv[1:]:
    if name == 'late':
        # The client has connected and sent.
        import select
        select.select([s], [], [])
        time.sleep(.3)
    c, _ = s.accept()
    reads[name](c)
    writes.get(name, lambda c: c.sendall(head + b'abc'))(c)
    c.close()
P
cat >client.py <<'P'
import socket, sys, time
for name in sys.argv[2:]:
    s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
    began = time.monotonic_ns()
    s.sendall(b'GET /%s HTTP/1.1\r\nHost: x\r\n\r\n' % name.encode())
    while s.recv(100): pass
    print(name, (time.monotonic_ns() - began) // 1000)
P
kinds="readv recvmsg peek late discard"
# shellcheck disable=SC2086
/usr/bin/python3 -S server.py $kinds $kinds >port &
own_pids+=("$!")
wait_for 10 test -s port || ok "the server listens" false
together_start httplat -lwn tmvectors : nginxsnoop -n tmvectors
# shellcheck disable=SC2086
/usr/bin/python3 -S client.py "$(cat port)" $kinds >took
together_stop
awk '$1 + 0 && /GET/ { print $4, $6, $7 }' httplat.out >rows
is "$(cat rows)" "200 GET /readv
200 GET /recvmsg
200 GET /peek
200 GET /late" "httplat: requests and answers in vectors; a line that no buffer has is no request"
is "$(awk '$1 + 0 { print $3, $5 }' nginxsnoop.out | head -n 2)" "200 /readv
200 /recvmsg" "nginxsnoop: the same"
between "$(awk '$7 == "/late" { print $3 }' httplat.out)" 290000 "$(awk '$1 == "late" { print $2 }' took)" "httplat -w: the wait in the socket"
for name in late peek; do
	between "$(awk -v url="/$name" '$7 == url { print $2 }' httplat.out)" "$([ $name = late ] && echo 290000 || echo 10000)" \
		"$(awk -v name=$name '$1 == name { print $2 }' took)" "httplat: $name: the time includes it"
done
together_start httplat -wn tmvectors
# shellcheck disable=SC2086
/usr/bin/python3 -S client.py "$(cat port)" $kinds >took
together_stop
between "$(awk '$7 == "/late" { print $4 }' httplat.out)" 290000 "$(awk '$1 == "late" { print $2 }' took)" "httplat -w: in the table"
done_testing
