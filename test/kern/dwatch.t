#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC1003
#
# dwatch.t: the options of dwatch, one by one, and how it ends.
#
# guests: none
. "${0%/*}/dwatch.sh"

# script_has REGEX TEXT ARGUMENT...: checks the script that would run.
script_has() {
	local regex=$1 text=$2
	shift 2
	dwatch_run -q -d "$@"
	has "$work/out" "$regex" "$text"
}

# watches WANT WORD ARGUMENT...: checks the description that a word stands for.
watches() {
	local want=$1
	shift
	dwatch_run -d "$@"
	has "$work/err" "^INFO Watching '$want' \.\.\.$" "$* is $want"
}

end='kill -0 $$'

# ---- options that run nothing

dwatch_run
is $status 1 "no arguments: usage"
has "$work/err" '^usage: dwatch ' "that is said"
dwatch_run -Z
is $status 1 "an unknown option"
dwatch_run -V
has "$work/out" '^dwatch: Version [0-9.]+$' "-V"
dwatch_run -h
is $status 0 "-h"
has "$work/out" '^usage: dwatch ' "is help"
dwatch_run -N 0 kill
is $status 1 "-N 0"
dwatch_run -T soon kill
is $status 1 "-T soon"
dwatch_run -j no/such/group kill
is $status 1 "-j without such a cgroup"
dwatch_run -u nobodysuch kill
is $status 1 "-u without such a user"
dwatch_run -N 1 -X systop
is $status 1 "-N for a table"
dwatch_run -X nosuch
is $status 1 "-X without such a profile"
dwatch_run -X ../dwatch
has "$work/err" 'not the name of a profile' "-X takes no path"

watches syscall:vmlinux:kill:entry kill
watches dtrace:::BEGIN BEGIN
watches rawtp:vmlinux::sched_switch sched_switch
watches tcp::: tcp
watches 'syscall:vmlinux:open\*:entry' 'open*'
watches 'syscall:vmlinux:kill:entry, syscall:vmlinux:chmod:return' kill,syscall:vmlinux:chmod:return
watches ip::: -P ip
watches :::kill -n kill

dwatch_run -l kill
is "$(cat "$work/out")" "syscall:vmlinux:kill:entry${IFS:2}syscall:vmlinux:kill:return" "-l kill"
dwatch_run -l -P
is "$(grep -cxE 'dtrace|syscall|tcp' "$work/out")" 3 "-l -P lists providers"
dwatch_run -l -r '^dtrace:.*E'
is "$(paste -sd ' ' "$work/out")" "dtrace:::BEGIN dtrace:::END dtrace:::ERROR" "-l -r"
dwatch_run -Q
is "$(head -n 1 "$work/out")" PROFILES: "-Q"
dwatch_run -Q -1 -q -r '^udp'
is "$(paste -sd ' ' "$work/out")" \
	"udp udp-receive udp-send udplite udplite-receive udplite-send" "-Q -1 -q -r"
DWATCH_PROFILES_PATH='' dwatch_run -Q -1 -q
is "$(cat "$work/out")" "" "no profiles in an empty path"
mkdir p
echo 'PROBE=syscall::kill:entry EVENT_DETAILS="trace(\"$PROFILE\");"' >p/mine
DWATCH_PROFILES_PATH=$work/p dwatch_run -d -X mine
has "$work/err" "^INFO Sourcing mine profile \[found in $work/p\]$" "a profile of one's own"
has "$work/out" 'trace\("mine"\);' "and its details"

# at_terminal COMMAND: prints what it writes at a terminal, to both outputs.
at_terminal() {
	DTRACE=$dtrace script -qec "$1" /dev/null </dev/null
}
at_terminal "$top/dwatch/dwatch -d kill" >"$work/out"
has "$work/out" $'\033\\[36mINFO' "colors at a terminal"
NO_COLOR=1 at_terminal "$top/dwatch/dwatch -d kill" >"$work/out"
is "$(grep -c $'\033' "$work/out")" 0 "not with NO_COLOR"
has "$work/out" "^INFO Watching '" "but the same words"

cp "$(type -P true)" "$work/"$'esc\033[2Jape'
for option in '' '-N 1' '-r escape' '-R'; do
	at_terminal "$top/dwatch/dwatch -q ${option/escape/ape} -t 'pid == \$target' execve -c 'env $work/esc"$'\033'"[2Jape'" >"$work/out"
	has "$work/out" 'esc\\033\[2J' "a terminal does not obey what is watched: $option"
	is "$(grep -c $'\033\\[2J' "$work/out")" 0 "... not at all"
done

script_has '^#pragma D option dynvarsize=16m$' "-d prints the script" kill
script_has '/\(pid == 12\)/' "-p as ps prints it" -p '  12 ' kill
script_has '/\(pid == 12 \|\| pid == 34\)/' "-p with numbers is for D" -p '12|34' kill
script_has 'real_parent->real_parent->real_parent->tgid == 12' "-p and -R: ancestors" -R -p 12 kill
script_has '/\(uid == 0\)/' "-u with a name" -u root kill
script_has '/\(uid == 0\)/' "-u with a number" -u 0 kill
script_has '/\(gid == 0\)/' "-g with a name" -g root kill
script_has 'execname == "a\\"b c\$d\\\\"' "-k with quotes" -k 'a"b c$d\' kill
script_has 'execname == "systemd-network"' "-k: 15 bytes of a name" -k systemd-networkd kill
script_has '"wor" \|\| .*index\(execname, "k"\) == 0' "several -k" -k wor -k 'k*' kill
script_has '^/\(pid == 1\) && \(uid == 2\)/' "several -t" -t 'pid == 1' -t 'uid == 2' kill
script_has 'tick-7200s' "-T with a unit" -T 2h kill
for pattern in 'a"b c$d\' 'x*' '*y' '*x*' '*'; do
	dwatch_run -q -e -k "$pattern" -j 0 -T 1m kill
	is $status 0 "-e -k $pattern compiles"
done
dwatch_run -e -t nosuch kill
is $status 1 "-e of what does not compile"
dwatch_run -d -e -v -t nosuch kill
has "$work/out" '^> +[0-9]+ /\(nosuch\)/$' "-d -e -v shows the line"

# ---- watching

act "$end"
sees "0.0 sh[PID]: sh act" "an event" kill
is "$(tail -n 1 "$work/err")" "" "-q is quiet"
sees "0.0 sh[PID]: sh ..." "-B" -B 1 kill
sees "0.0 sh[PID]: sh act" "-B as many as there are" -B 2 kill
sees "0.0 sh[PID]: a0 b" "-E, twice" -E 'printf("a%d", arg1)' -E 'trace("b");' kill
act /bin/true
sees "0.0 sh[PID]: /bin/true" "-E of a new program" -E 'printf("%s", copyinstr(arg0))' execve
act "$end"
dwatch_run -q -t 'pid == $target' -E - kill -c "sh act"
is "$(events)" "0.0 sh[PID]: " "-E - reads nothing"
timeout 60 "$dwatch" -q -t 'pid == $target' -E - kill -c "sh act" <<<'trace("in")' >out 2>err
is "$(events)" "0.0 sh[PID]: in" "-E - reads code"
sees "0.0 sh[PID]: sh act" "-k that is right" -k '*h' -k x kill
sees "" "-k that is not" -k '*hx' -k x kill
sees "0.0 sh[PID]: sh act" "-u and -g by number" -u 0 -g 0 kill
sees "" "-u of somebody else" -u 4242 kill
sees "0.0 sh[PID]: sh act" "-u, -p by expression" -u '[0]' -p '[0-9]+' kill
sees "" "-p by an expression of all digits" -p 'x[0-9]+' kill
sees "0.0 sh[PID]: sh act" "-z" -z '^sh .*a.t$' kill
sees "" "-z that is not" -z '^act' kill
sees "0.0 sh[PID]: sh act" "-r" -r 'sh\[' kill
sees "" "-r that is not" -r 'ssh\[' kill
watch -r 'a.t' -y kill
has "$work/out" "sh "$'\033\\[31;1mact\033\\[m$' "-r -y highlights"
watch -F -x 'syscall::kill:*'
is "$(sed -E 's/>.*: / /; s/^<[0-9]+/N/' "$work/out" | grep . | paste -sd '|')" \
	"N -> syscall:vmlinux:kill:entry|N <- syscall:vmlinux:kill:return" "-F -x"
watch -x -r 'sh\[' kill
has "$work/out" '^<[0-9]+>[0-9]{4} .* 0.0 sh\[[0-9]+\]: sh act$' "-x with a filter"
watch -o file kill
is "$(grep -c 'sh act$' file)$(cat out)" 1 "-o"
watch -O 'echo "<$TAG$DETAILS>"' kill
has "$work/out" '^<0.0 sh\[[0-9]+\]: sh act>$' "-O"
sees "0.0 sh[PID]: sh act" "-j 0 is outside of containers" -j 0 kill
namespace=$(readlink /proc/self/ns/pid)
sees "0.0 sh[PID]: sh act" "-j with a namespace" -j "${namespace//[!0-9]/}" kill
sees "" "-j with another" -j 1 kill
dwatch_run -v -t 'pid == $target' -E 'trace(*(int *)0)' kill -c "sh act"
has "$work/err" 'invalid address \(0x0\) in action' "-v shows faults"
dwatch_run -t 'pid == $target' -E 'trace(*(int *)0)' kill -c "sh act"
is "$(grep -cE 'invalid|INFO' "$work/err")" 1 "without it there are messages, but no faults"

act "$end" "$end" "sh -c '$end; $end'"
sees "0.0 sh[PID]: sh act|0.0 sh[PID]: sh act|0.0 sh[PID]: sh -c $end; $end" "-N" -N 3 kill
for option in '-r kill|act' '-z .' '-p [0-9]+'; do
	# shellcheck disable=SC2086
	watch $option kill
	is "$(events | tr '|' '\n' | grep -c .)" 4 "$option lets all events through"
done
watch -O 'printf "%s:" "$DETAILS"; sleep 0.1' -E 'trace("it'"'"'s \"$HOME\" `id` \\ &")' kill
has "$work/out" '^(it'"'"'s "\$HOME" `id` \\ &:){4}$' "-O: all events, with what shells and awks look at"
# ---- how it ends

act "exit 3"
dwatch_run -q -T 1s -p 1 kill
is $status 0 "-T, which is all that ends it"
"$dwatch" -q -p 1 kill >out 2>err &
own_pids+=($!)
pid=$!
wait_for 20 is_tracing "$pid"
children=$(cat "/proc/$pid/task/$pid/children")
end_pid "$pid" TERM
gone=yes
for child in $children; do
	is_gone "$child" || gone=$child
done
is "$gone" yes "terminated, it leaves nothing running"
is "$(ls -A "$TMPDIR")" "" "and no files"

done_testing
