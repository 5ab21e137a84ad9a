#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# libdtrace.t: the library as its programs use it: built against the installed files, with only `pkg-config dtrace`;
# in C, C++ and Python.
#
# guests: none
# needs: g++ gcc make nm pkg-config python3 readelf
. "${BASH_SOURCE[0]%/*}/lib.sh"

# ---- the installed files

root=$work/root
libdir=$root/usr/lib
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top" install DESTDIR="$root" >"$work/out" 2>"$work/err"
flags() {
	PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@" dtrace
}
build() {
	local to=$1
	shift
	"$@" -o "$to" $(flags --cflags --libs) 2>>"$work/err"
}

ok "a program is built with what pkg-config says" \
	build "$work/prog" gcc -pthread -Wall -Wextra -Werror -Wno-unused-parameter "$top/test/kern/libdtrace.c"
printf '#include <dtrace.h>\nint main(void) { return dtrace_errno(NULL); }\n' >"$work/least.c"
for std in c89 c99 'c99 -pedantic-errors' c11; do
	ok "the header is one of $std" gcc -std=$std -Wall -Werror -fsyntax-only $(flags --cflags) "$work/least.c"
done
sed 's,dtrace.h,sys/dtrace.h,' "$work/least.c" >"$work/least.cc"
for std in c++98 c++17; do
	ok "the header is one of $std" g++ -std=$std -Wall -Wextra -Werror -fsyntax-only $(flags --cflags) "$work/least.cc"
done

# The header's declarations, the names in the map, and the library's exports are the same.
nm -D --defined-only "$libdir/libdtrace.so.1" | awk '$2 ~ /[TR]/ { sub(/@@LIBDTRACE_1.0$/, "", $3); print $3 }' |
	LC_ALL=C sort >"$work/exported"
sed -n 's/^\t\(_*dtrace_[a-z0-9_]*\);$/\1/p' "$top/src/lib/libdtrace.map" | LC_ALL=C sort >"$work/map"
grep -oE '\b_?dtrace_[a-z0-9_]+(\(dtrace_hdl|\(int |\(const |\(dtrace_attr|\[\];)|^dtrace_aggregate_walk_f dtrace_[a-z_]+' \
	"$root/usr/include/dtrace.h" | sed 's/[(\[].*//; s/.* //' | grep -v '_f$' | LC_ALL=C sort -u >"$work/declared"
ok "it exports what its map says, with its version" diff "$work/map" "$work/exported"
ok "which is what the header declares" diff "$work/map" "$work/declared"
is "$(readelf -d "$libdir/libdtrace.so.1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libdtrace.so.1 "it has its name"

export LD_LIBRARY_PATH=$libdir
run() {
	timeout --foreground 30 "$work/prog" "$@" >"$work/out" 2>"$work/err"
}
# says TEXT: checks that the output is TEXT, and that standard error is empty.
says() {
	is "$(cat "$work/out" "$work/err")" "$1" "$2"
}

# The example of docs/library.md.
awk '/^    #include/ { on = 1 } /^[^ ]/ { on = 0 } on { sub(/^    /, ""); print }' "$top/docs/library.md" >"$work/calls.c"
ok "the example of the guide is built" build "$work/calls" gcc -Wall -Werror "$work/calls.c"

# ---- records

timeout --foreground 30 "$work/calls" sh -c 'exec 3<>/dev/null; for i in 1 2 3 4 5 6 7; do echo >&3; done' >"$work/out" 2>"$work/err"
has "$work/out" '^write +7$' "and counts"

run records 1 'BEGIN { trace((char)-1); trace((short)300); trace(5); trace(1LL << 40); trace("ab"); printf("%d %s", 7, "x"); }
	BEGIN { @a = count(); clear(@a); exit(9); }'
says 'probe dtrace:::BEGIN nrecs 7 same 1
rec 0x1 size 1 arg 0: -1
rec 0x1 size 2 arg 0: 300
rec 0x1 size 4 arg 0: 5
rec 0x1 size 8 arg 0: 1099511627776
rec 0x1 size 256 arg 0: ab
rec 0x3 size 4 arg 0: 7
rec 0x3 size 256 arg 0: ...
end
probe dtrace:::BEGIN nrecs 2 same 1
rec 0x5 size 0 arg 0: ...
rec 0x2 size 4 arg 0: 9
end' "the handler gets records and their actions, and nothing is printed"

run records 0 'BEGIN { trace(5); printf("|%d %s|", 7, "x"); exit(0); }'
says 'probe dtrace:::BEGIN nrecs 4 same 1
rec 0x1 size 4 arg 0: 5
5rec 0x3 size 4 arg 0: 7
|7 x|rec 0x2 size 4 arg 0: 0
end' "or printed, an action at a time"

run records 1 'BEGIN { stack(3); ustack(4); sym((uintptr_t)&`vfs_read); usym(arg0); exit(0); }'
is "$(grep -c -e 'rec 0x401 size 24 arg 3' -e 'rec 0x101 size 40 arg 4' -e 'rec 0x402 size 8' -e 'rec 0x103 size 16' "$work/out")" 4 \
	"stacks and symbols have the layouts that programs know"

run records 2 'BEGIN { trace(5); exit(0); }'
has "$work/out" '^failed: work: Abort explicitly requested' "a function that wants to abort ends it"

run buffered 'BEGIN { trace(1); printf("x%d\n", 7); @a["k", 1] = count(); printa("%s %@d\n", @a);
	@d[5] = max(4); printa(@d); @b[2] = sum(3); exit(0); }'
says 'text action 0x1 agg 0 flags 0 "1"
text action 0x3 agg 0 flags 0 "x7\n"
text action 0x4 agg 0 flags 0x4 "k 1\n"
text action 0x4 agg 0 flags 0 "\n"
text action 0x1 agg 1 flags 0x1 "        5"
text action 0x703 agg 1 flags 0x2 "                4"
text action 0 agg 1 flags 0x8 "\n"
text action 0x1 agg 1 flags 0x1 "        2"
text action 0x705 agg 1 flags 0x2 "                3"
text action 0 agg 1 flags 0x8 "\n"' "without a file the handler gets the text, and pieces of aggregations"

# ---- formats

run formats 'BEGIN { trace(1); printf("%d %s\n", 7, "x"); printf("%5x", 1); printf("no argument"); @a = count(); printa("%@d|", @a);
	printa(@a); clear(@a); exit(0); }' '%d of 5%%' '%-8s %@d' '%q' ''
says '0x1 none
0x3 "%d %s
" "%d "
0x3 "%d %s
" "%d "
0x3 "%5x" "%5x"
0x3 "no argument" "no "
0x4 "%@d|" "%@d"
0x4 none
0x5 none
0x2 none
no others: Invalid argument
%d of 5%%|%d of 5%%
a conversion with @ is for printa()|%-8s %@d
format conversion #1, "%q": unknown conversion|format conversion #1, "%q": unknown conversion
|' "formats of actions, and those that a program makes"

# ---- aggregations

all='BEGIN { @c["b"] = count(); @c["a"] = count(); @c["a"] = count(); @q = quantize(5); @l = lquantize(15, 0, 100, 10);
	@ll = llquantize(15, 10, 0, 3, 10); @av[1] = avg(10); @av[1] = avg(21); @s = stddev(-5); @s = stddev(1);
	@mn[7LL] = min(-4); @mx = max(9); @su = sum(-3); exit(0); }'
run aggs "$all" val
says '@c b = 1 1
@c a = 1 2
@q = 7 [66]=1
@l = 8 base 0 step 10 levels 10 [2]=1
@ll = 9 factor 10 low 0 high 3 steps 10 [10]=1
@av 1 = 4 2 31
@s = 6 2 -4 26 0
@mn 7 = 2 -4
@mx = 3 9
@su = 5 -3' "rows of all functions, by value"

two='BEGIN { @x["a"] = sum(3); @x["b"] = sum(1); @y["a"] = sum(2); @y["b"] = sum(4); exit(0); }'
for order in 'key @x.a @x.b @y.a @y.b' 'val @x.b @x.a @y.a @y.b' 'keyvar @x.a @y.a @x.b @y.b' \
	'valvar @x.b @y.a @x.a @y.b' 'keyrev @y.b @y.a @x.b @x.a' 'valrev @y.b @y.a @x.a @x.b' \
	'keyvarrev @y.b @x.b @y.a @x.a' 'valvarrev @y.b @x.a @y.a @x.b'; do
	run aggs "$two" "${order%% *}"
	is "$(awk '{ printf " %s.%s", $1, $2 }' "$work/out")" " ${order#* }" "the order ${order%% *}"
done
run aggs "$two" 5 key any
is "$(wc -l <"$work/out")" 4 "rows can be removed"
run aggs "$two" 2 key 0 key
is "$(awk 'NR > 4 { s += $5; n++ } END { print n, s }' "$work/out")" "4 0" "or cleared"
run aggs "$two" 1 key
has "$work/out" '^walk: Abort' "a walk can be ended"
run aggs "$two" print
is "$(awk '{ printf " %s=%s", $1, $2 }' "$work/out")" ' a=3 b=1 a=2 b=4' "or print them"
run joined 'BEGIN { @a["x"] = count(); @b["x"] = sum(5); @a["y"] = count(); exit(0); }'
is "$(sort "$work/out")" ' 1 - of y
 1 5 of x' "rows of several aggregations by their keys"

# ---- errors, losses

run errors 0 'BEGIN { trace(*(int *)0); } BEGIN { setopt("aggrate", "5s"); exit(0); }'
is "$(sed 's/: error on.*//' "$work/out")" 'error fault 1 (invalid address) action 1 at BEGIN
option aggrate from 1000000000 to 5000000000' "handlers get errors, and options that are set"
run errors -1 'BEGIN { trace(*(int *)0); } BEGIN { exit(0); }'
has "$work/out" '^failed: work: error on enabled probe' "a handler ends it"
run errors 1 'BEGIN { trace(*(int *)0); } BEGIN { exit(0); }'
has "$work/out" '^failed: work: error on enabled probe' "and so does an error without a handler"

run drops 2000 4m handler
says 'none lost, 2000 in all' "as many records as calls"
run drops 2000 8k handler
says 'some lost, 2000 in all' "lost records and handled records are all records"
run drops 2000 8k none
has "$work/out" '^failed: work: [0-9]+ drops on CPU' "losses without a handler end it"

run messages 'BEGIN { trace(nonsense); }' 'BEGIN {' 'nonsense:::x' $'BEGIN\n{\n  1 +;\n}' "BEGIN { trace('\\"'\377<&'"\"); exit(0); }"
says 'version: the library has another version
number: No such file or directory
strsize: 100
bufsize: 4194304
switchrate: 100000000
quiet: 1
bufpolicy: 1
nonsense: Invalid option name
strsize: Invalid value for specified option
compile: in action list: failed to resolve nonsense: unknown variable name
compile: syntax error near end of input
compile: probe description nonsense:::x does not match any probes
compile: line 3: syntax error near ";"
compile: syntax error: character constant without closing quote near end of input
preprocessed: "<program>", line 2: undefined function name: Y
work: Operation illegal when tracing is not active' "errors have numbers and texts; one does not spoil what follows"

# ---- programs, probes, names

run info 'BEGIN { @a = count(); trace($1); trace($$2); } BEGIN { self->s = speculation(); speculate(self->s); trace(1); }'
says '2 probes 1 aggregate 4 record 1 speculate Unstable/Unstable/Common' "what is known of a program"
run operands sleep 9
says '42 1
43 1' "each program has its operands, and the process"
printf 'BEGIN\n{\n\ttrace(1);\n}\n' >"$work/script.d"
run script "$work/script.d"
says 'only this' "a program that is not enabled does nothing"

run probes 'syscall::getp*id:entry'
is "$(grep -v '^info' "$work/out")" "$("$dtrace" -ln 'syscall::getp*id:entry' | awk 'NR > 1 { print $2 ":" $3 ":" $4 ":" $5 }')" \
	"the probes of dtrace -l"
run probes 'proc:::exec-success'
says 'proc:::exec-success
Evolving/Evolving/ISA, 1 arguments: string' "a probe's attributes and arguments"
run probes 'nonsense:::'
says 'failed: iter: No probe matches description' "a description that matches nothing"

run names vfs_read 'struct list_head'
addr=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
says "vmlinux vfs_read ${addr##+(0)}
vmlinux\`vfs_read+0x1 1
vmlinux
vfs_read
of the program
struct list_head: 16 bytes
vmlinux: ssize_t (struct file *, char *, size_t, loff_t *)
Unknown type name" "addresses and types have names"

run types 'struct list_head *' 'char [8]' 'unsigned long' 'int (*)[3]' 'pid_t' 'struct nonsense *' 'int x' '1 +' '' 'struct {' 'struct made { int x; } *' 'struct made'
says 'file: struct list_head *, 8 bytes
folder: Input/output error
struct list_head *: struct list_head *, 8 bytes
char [8]: char [8], 8 bytes
unsigned long: unsigned long, 8 bytes
int (*)[3]: int (*)[3], 8 bytes
pid_t: pid_t, 4 bytes
struct nonsense *: Unknown type name
int x: Unknown type name
1 +: Unknown type name
: Unknown type name
struct {: Unknown type name
struct made { int x; } *: struct made *, 8 bytes
struct made: struct made, 4 bytes' "types as D programs write them"

# The kernel and its modules, compared with /proc.
symbol() {
	awk -v name="$1" '$3 == name { sub(/^0+/, "", $1); print "0x" $1; exit }' /proc/kallsyms
}
{
	echo "vmlinux $(symbol _stext)"
	[ ! -e /proc/modules ] || awk '{ print $1, $6 }' /proc/modules
} >"$work/objects"
run objects 0
is "$(awk '/^returned/ { exit } { print $1, $2 }' "$work/out")" "$(cat "$work/objects")" "the kernel and its modules"
is "$(sed '1,/^returned/!d; /^returned/!d' "$work/out")" 'returned 0' "all of them"
has "$work/out" ' /sys/kernel/btf/vmlinux$' "with what has their types"
run objects 7
says "vmlinux $(symbol _stext) /sys/kernel/btf/vmlinux
returned 7
none: Invalid argument
every: Invalid argument
nonsense: no such module
to $(symbol _etext) flags 3" "or until a function wants no more"

# ---- handles, processes

run two
says '100 200' "two handles at a time, each with its own records"
run threads
says '150 300 450 600 ' "threads, each with handles of its own"
for i in 1 2 3 4 5 6; do echo two; done | xargs -P 3 -n 1 timeout 30 "$work/prog" >"$work/out" 2>&1
is "$(sort -u "$work/out")" '100 200' "in several processes, too"
run process 'syscall::exit_group:entry /pid == $target/ { printf("exits %d\n", arg0); } END { printf("the end\n"); }' sh -c 'exit 3'
is "$(sed 's/pid [0-9]*/pid N/' "$work/out")" 'exits 3
ours: pid N exited with status 3
the end
status 4' "a process that is made, its end, and END after stopping"
run process 'BEGIN { }' /nonexistent/x
says 'failed: create: failed to execute /nonexistent/x: No such file or directory' "one that cannot be made"

if type -P valgrind >/dev/null; then
	valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=9 \
		"$work/prog" aggs "$all" 5 val >"$work/out" 2>"$work/err"
	is $? 0 "nothing leaks, and nothing is read that is not there" || note_file valgrind "$work/err"
else
	skip "valgrind" "it is not installed"
fi

# ---- Python

export PYTHONPATH=$root/usr/lib/python3/dist-packages
py() {
	timeout --foreground 30 python3 - >"$work/out" 2>"$work/err"
}
py <<'EOF'
import libdtrace, os
with libdtrace.Consumer('syscall::getpriority:entry /pid == $1 && arg1 == 7/ { @n[arg1, execname] = count(); trace(arg1); trace("x"); printf("<%d>", 1); }',
                     args=[os.getpid()], quiet=True) as c:
    for i in range(50):
        try:
            os.getpriority(os.PRIO_PROCESS, 7)
        except OSError:
            pass
    records = c.run(0.1)
    print(len(records), records[0].values, records[0].text)
    print(dict(c.aggregation('n')), c.drops, c.errors)
with libdtrace.Consumer('BEGIN { trace(*(int *)0); } BEGIN { @ = quantize(5); @s[stack()] = count(); exit(0); }') as c:
    print([r.probe for r in c], len(c.errors), dict(c.aggregation('_')))
for program, options in (('BEGIN {', {}), ('BEGIN { raise(9); }', {}), ('BEGIN { }', {'strsize': 'x'})):
    try:
        libdtrace.Consumer(program, **options)
    except libdtrace.Error as e:
        print(e)
EOF
says "50 (7, 'x') 7x<1>
{(7, 'python3'): 50} [] []
['dtrace:::BEGIN'] 1 {(): {(4, 7): 1}}
syntax error near end of input
Destructive actions not allowed
Invalid value for specified option" "the module of Python"

while :; do : </dev/null; done &
opener=$!
own_pids+=("$opener")
timeout --foreground 30 python3 "$root/usr/share/doc/dtrace/examples/opens.py" 1 "$opener" >"$work/out" 2>"$work/err"
end_pid "$opener"
has "$work/out" "^(bash|libdtrace.t) +$opener +[0-9]+  /dev/null\$" "its example tells who opens what"

done_testing
