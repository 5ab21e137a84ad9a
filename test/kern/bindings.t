#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bindings.t: the library as bindings of other languages use it, with objects that come and go, closures, threads and
# exceptions.  The tests are in C, modelled on the bindings of Node, Ruby, Tcl and others, and in Python.
#
# guests: none
# needs: gcc node python3
. "${BASH_SOURCE[0]%/*}/lib.sh"

libdir=$work/lib
mkdir "$libdir"
cp "$top/build/libdtrace.so.1" "$libdir"
ln -s libdtrace.so.1 "$libdir/libdtrace.so"
export LD_LIBRARY_PATH=$libdir
ok "the program is built" gcc -pthread -Wall -Wextra -Werror -Wno-unused-parameter -Wno-cast-function-type \
	-I "$top/include" -o "$work/prog" "$top/test/kern/bindings.c" -L "$libdir" -ldtrace
run() {
	timeout --foreground 60 "$work/prog" "$@" >"$work/out" 2>"$work/err"
}
# says TEXT WHAT: checks that the output is TEXT, and that standard error is empty.
says() {
	is "$(cat "$work/out" "$work/err")" "$1" "$2"
}

run version
is "dtrace: $(cat "$work/out")" "$("$dtrace" -V | head -n 1)" "the version, as of -V"

# ---- the calls of bindings

run node 'BEGIN { trace(5); printf("%d|", 7); trace("x"); @a["k", 1] = count(); @b = sum(9); } END { trace(6); @b = sum(1); }'
says '@1 2 keys 1
@2 0 keys 9
5
text of BEGIN: "7|"
x
end of BEGIN
6
end of END
@2 0 keys 1' "records and rows of one object: rows that were taken do not come again"
run node 'BEGIN { trace(1); exit(0); }'
is "$(head -n 2 "$work/out")" '1
work: Abort explicitly requested' "it refuses an action that it does not know"

run clauses 'syscall::getp*id:entry, BEGIN { trace(1); trace(2); } tcp:::accept-established { @ = count(); } 3 { }'
says 'syscall::getp*id:entry Private/Private/ISA Stable/Stable/Common
  syscall:vmlinux:getpid:entry
  syscall:vmlinux:getppid:entry
  syscall:vmlinux:getpgid:entry
:::BEGIN Unstable/Unstable/Common Stable/Stable/Common
  dtrace:::BEGIN
tcp:::accept-established Evolving/Evolving/ISA Stable/Stable/Common
  tcp:::accept-established
3 Stable/Stable/Common Stable/Stable/Common
  dtrace:::ERROR
first 42' "the clauses of a program, and their probes"

run pieces 'BEGIN { trace(1); printf("x"); @a["k"] = count(); printa(@a); printa("%@d", @a); stack(); @b[1] = count(); exit(0); }'
says 'BEGIN action 0x1
BEGIN action 0x3
BEGIN action 0x4
@a action 0x1
@a action 0x701
@a action 0
BEGIN action 0x4
BEGIN action 0x401
@b action 0x1
@b action 0x701
@b action 0' "text that is of no row has a probe and an action"

run percpu
says '@a 10 getpriority:entry
@b 20 getpriority:entry
@a 20 getpriority:entry
@b 40 getpriority:entry' "options after enabling, values of each CPU, and the probe of a row"
run moved
says '350 100' "opened by one thread, traced and consumed by another"

# Freed memory is overwritten.
export MALLOC_PERTURB_=165
run files 'BEGIN { printf("begin\n"); } tick-20ms { n++; } END { printf("end %d\n", n > 0); }' "$work/text"
is "$(cat "$work/out" "$work/err")$(grep -oE 'begin|end .*' "$work/text" | paste -sd ' ')" 'begin end 1' \
	"a file for each round, which is closed when it is over"
for format in json jsonl xml; do
	run files 'BEGIN { printf("begin\n"); @a["k"] = count(); printa(@a); } END { trace(7); }' "$work/$format" $format
	says '' "the same with option oformat: nothing goes elsewhere: $format"
done
run released
says '1 -1 -1' "processes and handles that are released twice, or in the wrong order"
unset MALLOC_PERTURB_
run types
says "255 65535 4294967295 ffffffffffffffff -1 ffffffffffffffff -1" "types of other systems"
is "$(python3 - "$work" <<'PY'
import json, sys, xml.dom.minidom
work = sys.argv[1]
d = json.load(open(work + '/json'))['dtrace']['probes']
print([p['name'] for p in d], [list(o) for p in d for o in p['output']][0])
print([r['name'] for r in map(json.loads, open(work + '/jsonl')) if r['type'] == 'record'])
print(len(xml.dom.minidom.parse(work + '/xml').getElementsByTagName('name')) > 1)
PY
)" "['BEGIN', 'END'] ['message']
['BEGIN', 'END']
True" "and each is one document"

# ---- return values, order, NULL

run answers
says '-2: a consumer callback returned an invalid value
-1: Abort explicitly requested
0: there is neither an output file nor a handler
1: done
2: Abort explicitly requested
3: a consumer callback returned an invalid value
row -2: a consumer callback returned an invalid value
row -1: Abort explicitly requested
row 0: done
row 1: Abort explicitly requested
row 2: done
row 3: done
row 4: done
row 5: done
row 6: a consumer callback returned an invalid value' "what functions answer; output is missed when there is some"
run order
says '-1 -1 -1 -1 -1 Operation illegal when tracing is not active
-1 Operation illegal when tracing is active
0 Operation illegal when tracing is active
-1 Operation illegal when tracing is active
0 1 1 0 0 2' "calls at the wrong time, and once more"
run nothing
says '-1 probe description :::x does not match any probes
-1 -1 1 0 3' "arguments that are none"

# ---- handles that come and go

run lives 30
says '0 descriptors, 0 threads, no child' "nothing is left of handles, whenever they are given up"
if type -P valgrind >/dev/null; then
	valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=9 "$work/prog" lives 9 >"$work/out" 2>"$work/err"
	is $? 0 "nothing leaks, and nothing is read that is not there" || note_file valgrind "$work/err"
else
	skip "valgrind" "it is not installed"
fi
run forks
says '50 records, process runs
closed, child runs' "children that were forked neither end tracing nor keep it"

# ---- Python

export PYTHONPATH=$top/python
py() {
	timeout --foreground 60 python3 - >"$work/out" 2>"$work/err"
}
py <<'EOF'
import libdtrace, os
def open_files():
    return len(os.listdir('/proc/self/fd'))
def forgotten():
    return libdtrace.Consumer('BEGIN { trace(1); }', quiet=True).poll()[0].values
before = open_files()
print([forgotten() for i in range(5)], open_files() - before)
try:
    with libdtrace.Consumer('BEGIN { trace(1); }') as c:
        raise KeyError('mine')
except KeyError as e:
    print(e, open_files() - before)
c.close()
for use in (c.poll, c.run, c.stop, c.aggregations, lambda: list(c)):
    try:
        use()
    except libdtrace.Error as e:
        print(e)
try:
    libdtrace.Consumer('BEGIN { }\0')
except ValueError as e:
    print(e, open_files() - before)
EOF
says "[(1,), (1,), (1,), (1,), (1,)] 0
'mine' 0
it is closed
it is closed
it is closed
it is closed
it is closed
embedded null character 0" "a consumer ends with its last user, its block, or by close()"

# Processes that the consumer starts and watches; each prints its words.
"$(type -P sleep)" 60 &
sleeper=$!
own_pids+=("$sleeper")
sleeper=$sleeper py <<'EOF'
import libdtrace, os, sys
program = 'syscall::write:entry /pid == $target && arg0 == 1/ { @n = sum(arg2); }'
for command in (['echo', 'two words'], "echo 'two words'"):
    with libdtrace.Consumer(program, command=command, quiet=True) as c:
        c.run(20)
        print(dict(c.aggregation('n')), flush=True)
for pids in (int(os.environ['sleeper']), [int(os.environ['sleeper']), os.getpid()]):
    with libdtrace.Consumer('BEGIN { trace($target); exit(0); }', pid=pids, quiet=True) as c:
        print([r.values[0] == int(os.environ['sleeper']) for r in c], flush=True)
for wrong in ({'command': ['/nosuch/program']}, {'pid': 2 ** 30}, {'command': ''}):
    try:
        libdtrace.Consumer('BEGIN { }', **wrong)
    except (libdtrace.Error, ValueError) as e:
        print(type(e).__name__, flush=True)
EOF
says "two words
{(): 10}
two words
{(): 10}
[True]
[True]
Error
Error
ValueError" "commands and processes of a consumer"
end_pid "$sleeper"

# Each value lies between the bounds of its bucket.
py <<'EOF'
import libdtrace
values = [0, 1, 2, 3, 4, 9, 10, 11, 19, 20, 99, 100, 101, 199, 200, 999, 1000, 5000, 9999, 10000, 123456]
values += [-v for v in values if v] + [2 ** 62 - 1, 2 ** 62, 2 ** 63 - 1, -2 ** 62 + 1, -2 ** 62, -2 ** 63 + 1]
functions = ('quantize(V)', 'lquantize(V, -10, 100, 10)', 'lquantize(V, 0, 1000, 7)', 'llquantize(V, 10, 0, 3, 10)',
             'llquantize(V, 10, 1, 3, 20)', 'llquantize(V, 10, 0, 4, 5)', 'llquantize(V, 2, 0, 8, 2)')
for dialect in ('illumos', 'oracle'):
    for function in functions:
        updates = ' '.join('@[%d] = %s;' % (i, function.replace('V', '(int64_t)(%d)' % v)) for i, v in enumerate(values))
        with libdtrace.Consumer('BEGIN { %s exit(0); }' % updates, dialect=dialect, quiet=True) as c:
            c.run(20)
            for (i,), row in c.aggregation().items():
                [((low, high), count)] = row.items()
                if not low <= values[i] <= high or count != 1:
                    print(dialect, function, values[i], row)
with libdtrace.Consumer('BEGIN { @ = lquantize(15, 0, 30, 10); @ = lquantize(99, 0, 30, 10); exit(0); }', quiet=True) as c:
    c.run(20)
    print(dict(c.aggregation()))
EOF
says "{(): {(10, 19): 1, (30, 9223372036854775807): 1}}" "bounds of buckets"

# Signals come at any time, also inside calls of the library: a signal loses at most one record in transit.
py <<'EOF'
import libdtrace, os, signal, threading
armed = False
def interrupt(*_):
    global armed
    if armed:
        armed = False
        raise KeyboardInterrupt
def call(n):
    for i in range(n):
        try:
            os.getpriority(os.PRIO_PROCESS, 7)
        except OSError:
            pass
signal.signal(signal.SIGALRM, interrupt)
with libdtrace.Consumer('syscall::getpriority:entry /pid == $1 && arg1 == 7/ { trace(1); trace(2); printf("x"); @[arg1] = count(); }',
                     args=[os.getpid()], quiet=True) as c:
    records, interrupts = [], 0
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    while interrupts < 200:
        try:
            armed = True
            while True:
                call(3)
                records += c.poll()
                c.aggregations()
        except KeyboardInterrupt:
            interrupts += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    armed = False
    call(20)
    records += c.run(0.05)
    print(set((r.values, r.text) for r in records), len(records) > 0)
with libdtrace.Consumer('tick-10ms { trace(1); }', quiet=True) as c:
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    armed = True
    try:
        c.run()
    except KeyboardInterrupt:
        print('interrupted, with', 'records' if len(c.poll()) > 1 else 'none')
with libdtrace.Consumer('tick-10ms { trace(1); } END { trace(2); }', quiet=True) as c:
    found = []
    thread = threading.Thread(target=lambda: found.extend(c.run(0.2)))
    thread.start()
    thread.join()
    print(found[-1].values, len(found) > 2)
with libdtrace.Consumer('tick-10ms { trace(1); } END { trace(2); }', quiet=True, switchrate='1hour') as c:
    found = c.run(0.3)
    print(found[-1].values, len(found) > 2, 'before the switch')
with libdtrace.Consumer('syscall::getpriority:entry /pid == $1 && arg1 == 7/ { trace(1); }', args=[os.getpid()], quiet=True) as c:
    child = os.fork()
    if child == 0:
        raise SystemExit
    os.waitpid(child, 0)
    call(5)
    print(len(c.run(0.1)), 'records')
EOF
says "{((1, 2), '12x')} True
interrupted, with records
(2,) True
(2,) True before the switch
5 records" "exceptions, threads and children"

done_testing
