#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-net.t: the tools about TCP and UDP, compared with the counts of the traffic itself, of tcpdump and of the
# kernel.
#
# guests: none
# needs: curl nc nginx ping python3 ssh ssh-keygen sshd tcpdump
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# ours_of FIELD...: prints these fields of lines with an address of the test's network, sorted.
ours_of() {
	grep -E "(10\.77\.$net_number\.|fd77:$net_number:)" "$work/out" | awk -v fields="$*" 'BEGIN { n = split(fields, f, " ") } {
		for (i = 1; i <= n; i++)
			printf "%s%s", (i > 1 ? " " : ""), $f[i]
		print ""
	}' | sort
}

net_up
tool_start LADDR tcpconn
traffic_run 4 hello refused
tool_stop
client=$(traffic_pid hello client)
is "$(ours_of 1 2 3 5 | sort)" "$(sort <<-END
	$client connected $a4 $b4
	$(traffic_pid hello server) accepted $b4 $a4
	$(traffic_pid refused client) refused $a4 $b4
	-1 rejected $b4 $a4
END
)" "tcpconn: both ends of two connections"
has "$work/out" "^ +$client connected +$a4 +[0-9]+ $b4 +7001\$" "tcpconn: ports"
tool_start LADDR tcpconn -P 7001 -p $$
traffic_run 6 hello
tool_stop
is "$(ours_of 1)" "" "tcpconn -p: another process"

tool_start LADDR tcpaccept -tv -P 7001
traffic_run 6 hello worker
tool_stop
is "$(ours_of 6 7 9 10)" "$(traffic_pid hello server) $a6 $b6 7001" "tcpaccept -P: who comes to one port"
tool_start_quiet tcpaccept -c
nc_start b 7090
for _ in 1 2 3; do
	on a nc -n -z "$b4" 7090
done
tool_stop
is "$(ours_of 2 3 4 5)" "$a4 $b4 7090 3" "tcpaccept -c: three connections"

tool_start RECEIVED tcptrack
traffic_run 4 hello worker bulk
traffic_run 6 hello reset-linger
tool_stop
is "$(awk -v ours="$a4" '$2 == ours && $5 != 7002 || $4 == ours && $3 != 7002 { print $2, $4, $6, $7 }' "$work/out" | sort)" "$(sort <<-END
	$a4 $b4 100 100
	$b4 $a4 100 100
	$a4 $b4 60 70
	$b4 $a4 70 60
END
)" "tcptrack: what each end has sent and received"
is "$(awk -v ours="$b4" '$2 == ours && $3 == 7002 { print $7, $6 }' "$work/out")" \
	"$(awk -v ours="$b4" '$4 == ours && $5 == 7002 { print $6, $7 }' "$work/out")" "tcptrack: what one end sends the other receives"
positive "$(awk '$5 == 7002 { print $6 }' "$work/out")" "tcptrack: some data"
is "$(grep -c "$a6.*$b6\|$b6.*$a6" "$work/out")" 4 "tcptrack: a connection that is reset is over at both ends"

tool_start STATE tcpretrans
before=$(nstat_value a TcpRetransSegs)
retransmits a nc -n "$dead4" 7008
after=$(nstat_value a TcpRetransSegs)
tool_stop
positive $((after - before)) "a SYN is sent again"
is "$(ours_of 1 3 4 5)" "$(for ((i = before; i < after; i++)); do echo "$a4 $dead4 7008 state-syn-sent"; done)" "tcpretrans: each of them"

capture_start a
tool_start Sampling tcptop -P 7002 3 1
traffic_run 4 bulk
tool_wait
capture_stop a
is "$(awk -v from="$a4" '$4 == from { print $2, $3, $8 }' "$work/out")" \
	"$(traffic_pid bulk client) tclient $(payload_sum a "src host $a4 and tcp dst port 7002")" "tcptop: what a process has sent"
is "$(grep -m 1 SIZE "$work/out")" "  ZONE    PID COMM            LADDR           LPORT RADDR           RPORT      SIZE" "tcptop: its head"
is "$(awk '$2 > 0 && $3 == "-"' "$work/out")" "" "tcptop: the name of every process"
has "$work/out" '^20[0-9: A-Za-z]+,  load: [0-9.]+,  TCPin: +[0-9]+ Kb,  TCPout: +[0-9]+ Kb$' "tcptop: the load"

capture_start a
tool_start Sampling udptop 3 1
traffic_run 4 udp
client=$(traffic_pid udp client)
traffic_run 6 udp
tool_wait
capture_stop a
for family in 4 6; do
	[ $family = 4 ] && from=$a4 to=$b4 || from=$a6 to=$b6
	is "$(awk -v from=$from -v to=$to '$4 == from && $6 == to { n += $8 } END { print n + 0 }' "$work/out")" \
		"$(payload_sum a "udp port 7011 and (host $from)")" "udptop: IPv$family, both ways at the client"
	is "$(awk -v from=$from -v to=$to '$4 == from && $6 == to { print $2, $3 }' "$work/out" | sort -u)" \
		"$([ $family = 4 ] && echo "$client" || traffic_pid udp client) tclient" "udptop: IPv$family, the client's name"
done

tool_start Tracing ipproto 4 1
on a ping -q -c 5 -i 0.2 -s 100 "$b4" >"$work/got"
on a ping -q -c 5 -i 0.2 -s 100 "$b6" >"$work/got"
tool_wait
is "$(awk -v a="$a4" -v a6="$a6" '($1 == a || $1 == a6) && $3 ~ /^ICMP/ && $6 == 5 * 108 || $1 == a6 && $6 == 5 * 108 { print $1, $2, $4, $5 }' \
	"$work/out" | sort)" "$(sort <<-END
	$a4 $b4 in 5
	$a4 $b4 out 5
	$a6 $b6 in 5
	$a6 $b6 out 5
END
)" "ipproto: each ping, at both ends"

tool_start Tracing ipproto 3600
on a ping -q -c 3 -i 0.2 -s 100 "$b4" >"$work/got"
tool_stop
is "$(awk -v a="$a4" -v b="$b4" '$1 == a && $2 == b && $3 == "ICMP" { print $4, $5, $6 }' "$work/out" | sort | paste -sd' ')" \
	"in 3 324 out 3 324" "ipproto: what an interval has counted that is interrupted"

cat >"$work/rtt.py" <<'END'
import socket, struct, sys
c = socket.create_connection((sys.argv[1], int(sys.argv[2])))
for _ in range(20):
    c.sendall(b"x")
    c.recv(1)
    print(struct.unpack_from("I", c.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 68)[0])
END
cat >"$work/echo.py" <<'END'
import socket, sys
s = socket.create_server((sys.argv[1], int(sys.argv[2])))
c, _ = s.accept()
while True:
    text = c.recv(1)
    if not text:
        break
    c.sendall(text)
END
tool_start Tracing tcprtt -P 7093
on b python3 -S "$work/echo.py" "$b4" 7093 &
own_pids+=($!)
wait_for 20 eval 'on b ss -Hltn "sport = 7093" | grep -q LISTEN'
on a python3 -S "$work/rtt.py" "$b4" 7093 >"$work/rtt"
tool_stop
# The kernel's value after an answer is still its value when the next answer comes.
is "$(wc -l <"$work/rtt")" 20 "answers come"
is "$(awk 'FNR == NR { if (/\|/ && $NF > 0) seen[$1] = 1; next } { for (step = 1; step * 2 <= $1; step *= 2); if (FNR < 20 && !seen[step]) print $1 }' \
	"$work/out" "$work/rtt")" "" "tcprtt: what the kernel tells the program"

# The head line of published outputs.
head='  TIME          PID           LADDR:PORT                 RADDR:PORT   BYTES FLAGS'
dtrace_start -x cgroup="$cgroup" -s "$top/scripts/tcpsnoop.d"
traffic_run 4 hello
dtrace_stop
client=$(traffic_pid hello client)
is "$(grep TIME "$work/out")" "$head" "tcpsnoop.d: its head"
row=$(grep " $client .*  ->  .*:7001 .*(PUSH|ACK)" "$work/out")
is "${row:12:1}${row:35:1}${row:43:2}${row:62:1}" " :->:" "tcpsnoop.d: the columns of a row" || note "$row"
is "$(grep -c '([A-Z]*|*[A-Z]*)$' "$work/out") $(grep -c $'\b' "$work/out")" "$(grep -c -- '  \(->\|<-\)  ' "$work/out") 0" "tcpsnoop.d: flags are text"
dtrace_start -x cgroup="$cgroup" -s "$top/scripts/udpsnoop.d"
traffic_run 4 udp
dtrace_stop
is "$(grep TIME "$work/out")" "${head% FLAGS}" "udpsnoop.d: its head"
is "$(awk -v pid="$(traffic_pid udp client)" '$2 == pid { print $4, $6 }' "$work/out" | paste -sd ' ')" "-> 38 <- 28" "udpsnoop.d: there and back, with headers"
dtrace_start -x cgroup="$cgroup" -s "$top/scripts/tcptop.d"
traffic_run 4 hello
wait_for 20 grep -q SIZE "$work/out"
sleep 0.5
dtrace_stop
is "$(grep -m 1 SIZE "$work/out")" "  ZONE    PID LADDR           LPORT RADDR           RPORT      SIZE" "tcptop.d: its head"
is "$(awk -v pid="$(traffic_pid hello client)" '$2 == pid { print $7 }' "$work/out")" 200 "tcptop.d: what goes and comes"

dtrace_start -x cgroup="$cgroup" -s "$top/scripts/tcpconnlat.d"
began=${EPOCHREALTIME/./}
traffic_run 4 hello refused
ended=${EPOCHREALTIME/./}
dtrace_stop
is "$(awk -v to="$b4" '/\(us\)/ { of = $NF == to ? $1 : "other" } /\|/ { n[of] += $NF } END { print n["connect"], n["refused"] }' "$work/out")" "1 1" \
	"tcpconnlat.d: a connection and one that is refused"
between "$(awk -v to="$b4" '/\(us\)/ { ours = $NF == to } /\|/ && ours && $NF > 0 && $1 > n { n = $1 } END { print n + 0 }' "$work/out")" 1 \
	$((ended - began)) "tcpconnlat.d: no longer than it took"

dtrace_start -x cgroup="$cgroup" -s "$top/scripts/tcpstate.d"
began=${EPOCHREALTIME/./}
traffic_run 4 hello
ended=${EPOCHREALTIME/./}
dtrace_stop
client=$(traffic_pid hello client)
is "$(awk -v pid="$client" '$1 == pid { print $5, $7 }' "$work/out" | head -n 3)" "state-closed state-syn-sent
state-syn-sent state-established
state-established state-fin-wait-1" "tcpstate.d: the client's connection"
is "$(awk -v pid="$client" '$1 == pid { if (to && to != $5) print; to = $7 }' "$work/out")" "" "tcpstate.d: each state follows the one before"
between "$(awk -v pid="$client" '$1 == pid { n += $2 } END { print n + 0 }' "$work/out")" 1 $((ended - began + 1000000)) "tcpstate.d: how long"

tool_start Tracing udptrack -P 7011
traffic_run 4 udp
tool_stop
port=$(sed -n "s/.* sends .* from $a4:\([0-9]*\) to .*/\1/p" "$work/out" | head -n 1)
is "$(grep " bytes .* $a4:" "$work/out" | sort)" "$(sort <<-END
	$(traffic_pid udp client) tclient sends 30 bytes from $a4:$port to $b4:7011
	$(traffic_pid udp server) tserver receives 30 bytes from $a4:$port to $b4:7011
	$(traffic_pid udp server) tserver sends 20 bytes from $b4:7011 to $a4:$port
	$(traffic_pid udp client) tclient receives 20 bytes from $b4:7011 to $a4:$port
END
)" "udptrack: there and back"

nginx_start b 7091
tool_start REQUEST nginxsnoop
for path in small small 'nowhere?"a%20b'; do
	on a curl -s -o "$work/got" "http://$b4:7091/$path"
done
tool_stop
# Another test can run an nginx of its own.
is "$(awk 'NR > 1 && $5 ~ /small|nowhere/ { print $3, $4, $5, $6 }' "$work/out")" "200 GET /small HTTP/1.1
200 GET /small HTTP/1.1
404 GET /nowhere?\"a%20b HTTP/1.1" "nginxsnoop: each request, and how it is answered"

# An sshd of the test, with its own keys.
mkdir -p /run/sshd "$work/ssh"
for key in host user; do
	ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/$key"
done
on b "$(type -P sshd)" -D -e -f /dev/null -p 7092 -h "$work/ssh/host" -o AuthorizedKeysFile="$work/ssh/user.pub" -o StrictModes=no \
	-o UsePAM=no -o PidFile=none >"$work/ssh/log" 2>&1 &
own_pids+=($!)
wait_for 10 grep -q listening "$work/ssh/log"
# login ADDRESS COMMAND
login() {
	on a ssh -n -F none -i "$work/ssh/user" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -p 7092 "root@$1" "$2"
}
tool_start COMMAND sshdsnoop
is "$(login "$b4" 'echo a; /bin/true; exec sleep 0.1')" a "a session"
is "$(login "$b6" 'echo b')" b "and one by IPv6"
tool_stop
is "$(awk -v a4="$a4" -v a6="$a6" '$3 == a4 || $3 == a6 { $1 = ""; print }' "$work/out")" " 0 $a4 bash -c echo a; /bin/true; exec sleep 0.1
 0 $a6 bash -c echo b" "sshdsnoop: who comes, and what is run for them, once"
tool_start COMMAND sshdsnoop -a "$a6" -u 0
login "$b4" 'echo a' >"$work/got"
login "$b6" 'echo b' >"$work/got"
tool_stop
is "$(awk -v a4="$a4" -v a6="$a6" '$3 == a4 || $3 == a6 { print $3 }' "$work/out")" "$a6" "sshdsnoop -a: from one address"
"$top/scripts/sshdsnoop" -u root >"$work/out" 2>"$work/err"
is $? 2 "sshdsnoop -u: a number"

done_testing
