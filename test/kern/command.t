#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# command.t: the command's options, one by one, their errors, and the exit status.
# rows: -32 -64 -a -A -B -P -V -Z -b -e -f -i -m -n -o -p -q -w -x -S freopen ftruncate raise system
# rows: -xbufresize -xcleanrate -xctypes -xdebug -xdtypes -xerrtags -xkdefs -xquietresize -xsetenv
# rows: -xstatusrate -xswitchrate -xtree -xudefs -xunsetenv -xversion
# Options that are accepted, without a meaning:
# rows: -xbpflogsize -xcore -xctfpath -xdebugassert -xdisasm -xdofstashpath -xiregs -xjstackstrsize
# rows: -xlate -xlazyload -xldpath -xlinkmode -xlinknommap -xlinktype -xlockmem -xmodpath
# rows: -xpreallocate -xprocfspath -xstrip -xsysslice -xtregs -xuseruid -xzone
# guests: none
. "${0%/*}/lib.sh"

cd "$work" || exit 1

# status WANT TEXT ARGUMENT...
status() {
	local want=$1 text=$2
	shift 2
	dtrace_run "$@"
	is $status "$want" "$text" || note_file errors "$work/err"
}

# prints WANT TEXT ARGUMENT...: checks standard output.
prints() {
	local want=$1 text=$2
	shift 2
	dtrace_run "$@"
	is "$(cat "$work/out")" "$want" "$text"
}

# says STATUS MESSAGE ARGUMENT...: checks that standard error contains the message.
says() {
	local want=$1 message=$2
	shift 2
	dtrace_run "$@"
	ok "$message" grep -qF -- "$message" "$work/err" || note_file errors "$work/err"
	is $status "$want" "its status"
}

# ---- usage
says 2 'Usage: dtrace '
says 2 "dtrace: invalid option -- 'Q'" -Q
ok "messages start with the name, not the path" grep -q '^dtrace: invalid' "$work/err"
status 2 "a data model that does not exist" -3 3
for option in -n -P -m -f -i -s -o -x -b -L -I -D -U -X -c -p; do
	status 2 "$option without its argument" $option
done
says 2 'only one of the [-AGhlV] options can be specified at a time' -l -V
says 2 'only one of the [-AGhlV] options can be specified at a time' -G -h
says 2 '-B cannot be combined' -B -l
says 2 '-B cannot be combined' -B -n BEGIN -o "$work/x"
prints 'output, 1 bytes: "1"
output, 1 bytes: "\n"
output, 1 bytes: "\n"' "-B" -Bqn 'BEGIN { printf("%d\n", 1); exit(0); }'
says 1 'anonymous tracing is not supported' -A -n BEGIN
says 1 'could not enable tracing: No anonymous tracing state' -a -n BEGIN
says 1 'no probes specified' -q
release=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")
prints "dtrace: Sun D 1.14
This is DTrace for Linux $release" "-V" -V

for letter in a A b B c C d D e f F G h H i I l L m n o O p P q s S U v V w x X Z; do
	"$dtrace" --help | grep -q "^	-$letter  " || missing="${missing-}$letter"
done
is "${missing-}" '' "the usage tells what each letter is for"
status 0 "--help" --help
is "$("$dtrace" -h)" "$("$dtrace" --help)" "-h alone"
is "$("$dtrace" --version)" "$("$dtrace" -V)" "--version"
says 1 'this build has no provider fasttrap; use pid123:OBJECT' -n fasttrap:::
says 0 'failed to match fasttrap:::x: this build has no provider fasttrap' -ln fasttrap:::x
ok "what matches nothing has no heading" test ! -s "$work/out"

# ---- programs
echo 'BEGIN { exit(0); }' >script.d
says 1 'failed to open nonexistent.d: No such file or directory' -s nonexistent.d
says 1 'failed to open x.o: No such file or directory' -G -s script.d x.o
says 0 "script 'script.d' matched 1 probe" -s script.d
says 0 "description 'BEGIN ' matched 1 probe" -n 'BEGIN { exit(0); }'
says 0 "description 'BEGIN,END' matched 2 probes" -n 'BEGIN,END{ exit(0); }'
prints provider "-P" -qP 'dtrace /probename == "BEGIN"/ { printf("provider"); exit(0); }'
prints id "-i" -qi '1 { printf("id"); exit(0); }'
status 0 "-m" -em vmlinux
status 0 "-f" -ef openat
status 0 "two programs" -en BEGIN -n END
prints 'ab' "in order" -qn 'BEGIN { printf("a"); }' -n 'BEGIN { printf("b"); exit(0); }'
echo 'BEGIN { printf("%s", $$0); exit(0); }' >zero.d
prints zero.d "\$\$0 is the script" -qs zero.d
says 1 'Overspecified probe description' -P a:b
says 1 'Overspecified probe description' -m a:b:c
says 1 'Overspecified probe description' -f a:b:c:d
says 1 'no such target: a' -n a:b:c:d:e
says 1 '[D_PDESC_ZERO]' -x errtags -n nonesuch:::
says 1 '[D_PDESC_ZERO]' -x errtags -m nonesuch
status 0 "the module that a stable probe has elsewhere" -en tcp:kernel::send
status 0 "-Z" -eZn nonesuch:::
prints '4 4 8 4' "-32" -32 -qn 'BEGIN { printf("%d %d %d %d", sizeof(long), sizeof(void *), sizeof(int64_t), sizeof(NULL)); exit(0); }'
prints '8 8 8' "-64" -64 -qn 'BEGIN { printf("%d %d %d", sizeof(long), sizeof(void *), sizeof(int64_t)); exit(0); }'
prints '-1 [       2]' "formats of -32" -32 -qn 'BEGIN { printf("%ld [%?x]", -1L, 2); exit(0); }'

prints '1 -x' "operands before and behind --" -qn 'BEGIN { printf("%d %s", $1, $$2); exit(0); }' 1 -- -x
prints '1 2' "operands that the first program uses" -q -n 'BEGIN { printf("%d %d", $1, $2); }' -n 'BEGIN { exit(0); }' 1 2
prints '1 2' "and the last" -q -n 'BEGIN { printf("%d", $1); }' -n 'BEGIN { printf(" %d", $2); exit(0); }' 1 2
says 1 "extraneous argument '2' (\$2 is not used)" -n 'BEGIN { trace($1); }' -n 'BEGIN { exit(0); }' 1 2
prints '-2 -3' "only operands behind --" -qn 'BEGIN { printf("%d %d", $1, $2); exit(0); }' -- -2 -3

# ---- output of compiler stages
dtrace_run -S -e -n 'BEGIN { x = timestamp; }'
has "$work/err" 'call ktime_get_ns' "-S -e prints the code"
dtrace_run -S -q -n 'BEGIN { x = timestamp; exit(0); }'
has "$work/err" 'call ktime_get_ns' "-S prints the code of what runs"

# ---- forbidden and missing things
says 1 'Destructive actions not allowed' -n 'BEGIN { raise(0); exit(0); }'
says 0 'allowing destructive actions' -wn 'BEGIN { exit(0); }'
says 0 '1 drop on CPU' -n 'BEGIN { tracemem(0, 0x7fffffff); tracemem(0, 0x7fffffff); tracemem(0, 2); } BEGIN { exit(0); }'
for pid in x '' 0 -1 +1 0x1 1x 4294967297 99999999999999999999; do
	says 1 "invalid pid: $pid" -p "$pid" -n BEGIN
done
status 0 "a pid as ps prints it" -p " $$ " -n 'BEGIN { exit(0); }'
"$top/build/test-pid" threads 1 1000000000000000000 &
threaded=$!
own_pids+=("$threaded")
has_threads() { [ "$(find "/proc/$threaded/task" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; }
wait_for 20 has_threads
thread=$(ls "/proc/$threaded/task" | tail -n 1)
dtrace_run -qn 'BEGIN { printf("target %d\n", $target); } pid$target:a.out:leaf:entry { @[pid, tid] = count(); }
	tick-10ms /i++ == 10/ { exit(0); } END { printa("%d %d %@d\n", @); }' -p "$thread" -p "$threaded"
has "$work/out" "^target $threaded\$" "a thread stands for its process"
positive "$(value "$threaded" "$thread")" "which is traced"
end_pid $threaded KILL
says 1 'CPU 2147483647 is not online' -x cpu=0x100000000 -n BEGIN
says 1 'failed to grab pid 99999999' -p 99999999 -n BEGIN
says 1 'failed to execute /nonexistent: ' -c /nonexistent -n BEGIN
says 1 "failed to open output file '/nonexistent/x': " -o /nonexistent/x -n BEGIN
says 0 'has exited' -c true -n BEGIN
says 0 'exited with status 1' -c false -n BEGIN
dtrace_run -c 'sleep 43' -qn 'tick-100ms { printf("%d", $target); exit(0); }'
ok "a process of -c ends with tracing" test ! -e "/proc/$(cat out)"
dtrace_run -qo appended -n 'BEGIN { printf("x"); exit(0); }'
dtrace_run -qo appended -n 'BEGIN { printf("y"); exit(0); }'
is "$(paste -sd ' ' appended)" "x y" "-o appends"
status 3 "exit(3)" -qn 'BEGIN { exit(3); }'
status 0 "exit(256)" -qn 'BEGIN { exit(256); }'

# ---- actions of the consumer
dtrace_run -qw -o redirect -n 'BEGIN { freopen("first"); printf("in the first"); freopen("%s", "second");
	printf("in the second"); freopen(""); printf("back"); exit(0); }'
is "$(cat first),$(cat second),$(cat redirect)" "in the first,in the second,back" "freopen()"
says 0 "failed to open output file '/nonexistent/x': No such file or directory" \
	-qwn 'BEGIN { freopen("/nonexistent/x"); exit(0); }'
dtrace_run -q -o truncated -n 'BEGIN { printf("gone"); ftruncate(); printf("stays"); exit(0); }'
is $status 0 "ftruncate() needs no -w"
dtrace_run -wq -o truncated -n 'BEGIN { printf("gone"); ftruncate(); printf("stays"); exit(0); }'
is "$(cat truncated)" "stays" "ftruncate()"
prints $'one 1\ntwo' "system()" -qwn 'BEGIN { system("echo %s %d; printf two", "one", 1); exit(0); }'
says 0 'terminated by SIGUSR1' -w -c 'sleep 20' -n 'syscall:::entry /pid == $target/ { raise(10); }'

cp "$(type -P true)" $'esc\033[2Jape'
echo './esc*; :' >named
cat >named.d <<'END'
syscall::exit_group:entry /ppid == $target && strstr(execname, "esc") != NULL/ { printf("\033<%s>", execname); }
END
script -qec "$dtrace -qs named.d -c 'sh named'" /dev/null </dev/null >seen
has seen $'\033<esc\\\\033\\[2Jape>' "at a terminal, control characters of data are visible, but not of formats"
script -qec "$dtrace -qn 'BEGIN { cat(\"/no\033[2Jne\"); exit(0); }'" /dev/null </dev/null >seen
has seen "could not read '/no\\\\033\\[2Jne'" "nor does it obey messages about them"
# rows: -xvisible
prints $'a\033[2Jb' "in a file all is as it was" -qn 'BEGIN { trace("a\033[2Jb"); exit(0); }'
prints 'a\033[2Jb'$'\033' "option visible: as at a terminal" -x visible -qn 'BEGIN { trace("a\033[2Jb"); printf("\033"); exit(0); }'
dtrace_run -x visible -qn 'BEGIN { cat("/no\033[2Jne"); exit(0); }'
has "$work/err" "could not read '/no\\\\033\\[2Jne'" "and so in messages"

# ---- options: each with a good and a bad value
while read -r name good bad; do
	[ "$good" = CGROUP ] && good=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ "$good" = - ] && good= || good="=$good"
	status 0 "option $name" -x "$name$good" -en 'BEGIN { trace(1); }'
	[ "$bad" = - ] && continue
	[ "$bad" = none ] && bad= || bad="=$bad"
	says 1 "failed to set -x $name: " -x "$name$bad" -en BEGIN
done <<'END'
agghist - x
aggpack - x
aggpercpu - 1
aggrate 1hz x
aggsize 1m x
aggsortkey - x
aggsortkeypos 1 x
aggsortpos 1 x
aggsortrev - x
aggzoom - x
amin Unstable/Unstable/Common Stable
argref - 1
bpflog - 1
bpflogsize 1m x
bufpolicy switch x
bufresize auto x
bufsize 4k -1
cgroup CGROUP none
cleanrate 10hz x
core - 1
cppargs -DX none
cpphdrs - 1
cpppath cpp none
ctfpath /dev/null none
ctypes /dev/null none
debug - 1
debugassert all none
defaultargs - 1
define X=1 none
destructive - x
disasm 1 x
dofstashpath / none
droptags - 1
dtypes /dev/null none
dump ir none
dynvarsize 1m x
empty - 1
encoding ascii x
errtags - 1
evaltime exec x
flowindent - x
grabanon - x
incdir / none
iregs 8 x
jstackframes 10 x
jstackstrsize 256 x
kdefs - 1
knodefs - 1
late static x
lazyload - 1
ldpath /bin/ld none
libdir / none
linkmode kernel x
linknommap - 1
linktype elf x
lockmem 1 none
maxframes 10 x
metrics localhost:9464 none
metricsmax 10 x
modpath / none
nolibs - 1
noresolve - 1
oformat text none
opt 0 x
pcapsize 100 x
pgmax 8 x
preallocate 1m x
printsize 100 x
procfspath /proc none
pspec - 1
quiet - x
quietresize no x
rawbytes - x
visible - x
scratchsize 100 x
setenv A=b A
stackframes 5 x
stackindent 3 x
statusrate 1hz x
stdc a x
strip - 1
strsize 100 x
switchrate 1hz x
syslibdir / none
temporal - x
sysslice - 1
tree 1 x
tregs 8 x
udefs - 1
undef X none
unodefs - 1
unsetenv A A=b
ustackframes 10 x
useruid 1000 x
verbose - 1
version 1.0 x
zdefs - 1
zone global none
END
# 0 is a number like others; only a word turns an option off.
prints on "quiet=0 is quiet" -x quiet=0 -n 'BEGIN { printf("on"); exit(0); }'
dtrace_run -q -x quiet=off -n 'BEGIN { exit(0); }'
has "$work/out" ':BEGIN' "quiet=off is not"
says 1 'failed to set -x nonesuch: Invalid option name' -x nonesuch -n BEGIN
says 1 'failed to set -x aggsortkeypos: Invalid value for specified option' -x aggsortkeypos=4294967297 -n BEGIN
says 1 'failed to set -L /nonesuch: No such file or directory' -L /nonesuch -n BEGIN
says 1 'no probes specified' -e
"$dtrace" -n 'BEGIN, END { trace(nonesuch); }' 2>"$work/err"
is "$(grep -c 'failed to resolve nonesuch' "$work/err")" 1 "an error is reported once, for all descriptions of a clause"
says 1 'failed to set -b x: Invalid value for specified option' -b x -n BEGIN
says 1 'failed to set -X x: Invalid value for specified option' -X x -n BEGIN
says 1 'Version is not properly formatted or is too large' -x version=1 -n BEGIN
says 1 'Requested version is not supported by compiler' -x version=9.9 -n BEGIN
says 1 'Requested version conflicts with earlier setting' -x version=1.0 -x version=1.5 -n BEGIN
while read -r option; do
	says 1 "failed to set option '$option': Option cannot be used from within a D program" \
		-en "#pragma D option $option
BEGIN"
done <<'END'
cpphdrs
define=X
evaltime=main
libdir=/tmp
setenv=A=B
END
while read -r name before since; do
	says 1 "$name" -x version="$before" -en "BEGIN { trace($name); }"
	status 0 "$name since $since" -x version="$since" -en "BEGIN { trace($name); }"
done <<'END'
O_RDONLY 1.0 1.1
fds[0].fi_name 1.0 1.1
getf(0) 1.9.1 1.10
END

# ---- directories of libraries
mkdir libs
mkfifo libs/fifo.d
ln -s /dev/zero libs/zero.d
ln -s /proc/kmsg libs/kmsg.d
truncate -s 40G libs/huge.d
mkdir libs/folder.d
echo 'inline int in_library = 7;' >libs/good.d
prints 7 "what is no ordinary file in one" -L libs -qn 'BEGIN { printf("%d", in_library); exit(0); }'
says 0 'library libs/fifo.d is left out: it is no regular file' -L libs -qn 'BEGIN { exit(0); }'
says 0 'library libs/huge.d is left out: it has more than 16 MB' -L libs -qn 'BEGIN { exit(0); }'

# ---- options while tracing
says 0 "couldn't set option \"nonesuch\" to \"\": Invalid option name" \
	-n 'BEGIN { setopt("nonesuch"); exit(0); }'
says 0 "couldn't set option \"bufsize\" to \"1m\": Operation illegal when tracing is active" \
	-n 'BEGIN { setopt("bufsize", "1m"); exit(0); }'
says 0 "couldn't set option \"aggrate\" to \"x\": Invalid value for specified option" \
	-n 'BEGIN { setopt("aggrate", "x"); exit(0); }'
prints '
        1                2
        2                1' "setopt() of a dynamic option" \
	-qn 'BEGIN { setopt("aggsortkey"); @[2] = sum(1); @[1] = sum(2); exit(0); }'

# ---- options beyond the limits of the machine
says 1 'Cannot allocate memory' -x aggsize=1t -x bufresize=manual -n BEGIN
says 0 'aggregation size lowered to ' -x aggsize=1t -n 'BEGIN { @[1] = count(); exit(0); }'
says 0 'dynamic variable size lowered to ' -x dynvarsize=1t -n 'BEGIN { x[1] = 1; exit(0); }'
says 0 'cleaning rate reduced to 5000 hz' -x cleanrate=1us -n 'BEGIN { exit(0); }'
says 0 'status rate increased to once every 10 seconds' -x statusrate=1min -n 'BEGIN { exit(0); }'
says 0 '1 drop on CPU' -x bufsize=16 -n 'BEGIN { trace(1LL); trace(2LL); } BEGIN { exit(0); }'
says 1 'Enabling exceeds size of buffer' -x bufsize=7 -n 'BEGIN { trace(1LL); exit(0); }'
says 1 'Enabling exceeds size of buffer' -x aggsize=7 -n 'BEGIN { @ = count(); exit(0); }'
says 1 'Enabling exceeds size of buffer' -x specsize=7 -n 'BEGIN { s = speculation(); exit(0); }'
says 0 '' -x aggsize=7 -x specsize=7 -n 'BEGIN { exit(0); }'
says 1 'END enablings exceed size of principal buffer' -x bufpolicy=fill -x bufsize=32 \
	-n 'END { trace(1); } END { trace(2); } END { trace(3); }'
says 0 '1 drop on CPU' -x strsize=1t -n 'BEGIN { x = "a"; trace(x); } BEGIN { exit(0); }'
says 0 '[DTRACEDROP_PRINCIPAL]' -x bufsize=64 -x droptags -q -n 'tick-10ms { trace(1); } tick-10ms /i++ == 30/ { exit(0); }
	BEGIN { i = 0; }' -x switchrate=200ms
dtrace_run -x dump=bpf -en 'BEGIN { trace(1); }'
has "$work/err" '^# bpf$' "-x dump with -e"
# The kernel passes all words of the first line as one argument.
printf '#!%s -x strsize=16 -q -s\nBEGIN { trace("0123456789abcdefghij"); trace($1); exit(0); }\n' "$dtrace" >"$work/words"
chmod +x "$work/words"
is "$("$work/words" 7 2>&1)" "0123456789abcdef7" "options in the first line of a script"
dtrace_run -qn 'BEGIN /pid == $target/ { trace(1); } BEGIN { exit(0); }'
has "$work/err" '[$]target is 0; use -c or -p' '$target without a process'
dtrace_run -qn 'BEGIN { trace($target != 0); }' -c true
is "$(cat "$work/err")" "" '$target with one'
# With a rate, records are printed at the rate, and see aggregations as they are at that time.
dtrace_run -q -x aggrate=5s -x switchrate=5s -n 'tick-100ms { @ = count(); printa("%@d ", @); n++; } tick-1050ms { exit(0); }
	END { printf("of %d", n); }'
is "$(tr ' ' '\n' <"$work/out" | grep -c .)" "$(($(sed -n 's/.*of //p' "$work/out") + 2))" "switchrate=5s: a line for each record"
is "$(sed 's/of .*//' "$work/out" | tr ' ' '\n' | grep . | sort -u)" "$(sed -n 's/.*of //p' "$work/out")" "each shows the last state"
dtrace_run -x bufsize=64 -x switchrate=0 -q -n 'BEGIN { i = 0; } tick-50ms { printf("%d", i++); }
	tick-50ms /i == 5/ { exit(0); }'
is "$(cat "$work/out")" 01234 "a small buffer that is switched all the time"
dtrace_run -x bufsize=64 -x switchrate=1hour -q -n 'BEGIN { i = 0; } tick-50ms { printf("%d", i++); }' -c 'sleep 2.5'
is "$(cat "$work/out")" 0123 "... and never"
dtrace_run -x bufsize=64 -x strsize=16 -x switchrate=1hour -q -n 'BEGIN { i = 0; setopt("switchrate", "0"); }
	tick-50ms { printf("%d", i++); } tick-50ms /i == 5/ { exit(0); }'
is "$(cat "$work/out")" 01234 "setopt() of switchrate while tracing"
dtrace_run -x bufsize=640 -x strsize=16 -x statusrate=10sec -q -n 'BEGIN { i = 0; setopt("statusrate", "10ms"); }
	tick-100ms { tracemem(curthread, 1000); } tick-100ms /i++ == 8/ { exit(0); }'
ok "setopt() of statusrate while tracing" test "$(grep -c 'drops* on CPU' "$work/err")" -gt 1
says 0 'buffer size lowered to' -x bufsize=4096g -x quietresize=no -n 'BEGIN { exit(0); }'
dtrace_run -x bufsize=4096g -x quietresize=yes -q -n 'BEGIN { exit(0); }'
is "$(cat "$work/err")" "" "quietresize"
says 0 'invalid address (0x2) in action #1' -x bufsize=32 -q -n 'BEGIN { trace(*(int *)2); exit(0); } ERROR { exit(0); }'
says 0 '1 drop on CPU' -x bufsize=64 -q -n 'BEGIN { exit(0); } END { tracemem(curthread, 32); } END { tracemem(curthread, 32); }'
status 0 "more speculations and scratch memory than are of use" -x nspec=10000000000 \
	-x scratchsize=1t -n 'BEGIN { i = speculation(); p = alloca(8); exit(0); }'
status 0 "more frames than there are" -x stackframes=10000000000 -n 'BEGIN { stack(1000000); exit(0); }'

status 0 "a symbol that need not exist" -e -x knodefs -n 'BEGIN { trace(`no_such); }'
says 1 'no such symbol' -x knodefs -x kdefs -n 'BEGIN { trace(`no_such); }'
says 1 'failed to resolve a.out``no_such: a.out needs a process' -x unodefs -x udefs -n 'BEGIN { trace(a.out``no_such); }'

# ---- files of types
if type -P cpp >/dev/null; then
	printf 'struct in_header { int a; };\n' >types.h
	cat >types.d <<'END'
#include "types.h"
struct in_program { struct in_header h; };
BEGIN { exit(0); }
END
	dtrace_run -C -I . -x ctypes=c.btf -x dtypes=d.btf -e -s types.d
	is $status 0 "-x ctypes and dtypes"
	is "$(head -c 2 c.btf | od -An -tx1)" " 9f eb" "ctypes: a file in BTF"
	has c.btf in_header "ctypes: a type of a header"
	ok "ctypes: no type of the program" test "$(grep -c in_program c.btf)" = 0
	has d.btf in_program "dtypes: a type of the program"
else
	skip "files of types" "not installed: cpp"
fi
says 1 'could not write /nonexistent/x: ' -x dtypes=/nonexistent/x -e -n BEGIN

# ---- the environment
export DTRACE_OPT_STRSIZE=4 DTRACE_OPT_QUIET=
prints abcd "options of the environment" -n 'BEGIN { trace("abcdefg"); exit(0); }'
prints abcdef "... come before others" -x strsize=6 -n 'BEGIN { trace("abcdefg"); exit(0); }'
export DTRACE_OPT_STRSIZE=x
says 1 'failed to set DTRACE_OPT_STRSIZE: Invalid value for specified option' -n 'BEGIN { exit(0); }'
unset DTRACE_OPT_STRSIZE DTRACE_OPT_QUIET
export DTRACE_DEBUG=1
says 0 "DEBUG: program of dtrace:BEGIN: " -n 'BEGIN { exit(0); }'
unset DTRACE_DEBUG
export _DTRACE_TESTING=1
prints '                   FUNCTION:NAME
                          :BEGIN         1' "no columns of CPU and ID" -n 'BEGIN { trace(1); exit(0); }'
unset _DTRACE_TESTING

# ---- the environment of -c processes
cat >print.sh <<'END'
echo "${DTRACE_A-none} ${DTRACE_B-none} ${DTRACE_C-none}"
END
export DTRACE_B=before
prints 'a=1 none last' "setenv and unsetenv" -q -x setenv=DTRACE_A=a=1 -x unsetenv=DTRACE_B \
	-x setenv=DTRACE_C=first -x setenv=DTRACE_C=last -c 'bash print.sh' -n BEGIN

# Progress output: trees, and the current stage.
says 0 "# parse" -x tree=1 -en 'BEGIN { trace(1); }'
says 0 "# check" -x tree=2 -en 'BEGIN { trace(1); }'
ok "-x tree=2 prints no tree of the parser" test "$(grep -c '^# parse' "$work/err")" = 0
says 0 "DEBUG: library signal.d is wanted" -x debug -en 'BEGIN { trace(SIGHUP); }'
ok "no other library is wanted" test "$(grep -c 'is wanted' "$work/err")" = 1
says 0 "DEBUG: program of dtrace:BEGIN: " -x debug -qn 'BEGIN { exit(0); }'

done_testing
