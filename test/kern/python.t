#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# python.t: frames of Python between native frames, compared with the stacks that the program prints.
#
# rows: langstack
#
# guests: none
. "${0%/*}/lib.sh"

# is_known PYTHON: returns success if the interpreter exists, and dtrace knows the frames of its version.
is_known() {
	[ "$("$1" -c 'import sys; print(sys.version_info[1] in (9, 11, 12, 13, 14))' 2>/dev/null)" = True ]
}

is_known /usr/bin/python3 || skip_all "no python that is known"

# Prints its stack, and makes the traced call on the same line; then it waits until its names have been read.
cat >"$work/where.py" <<'END'
import os, select, sys, threading, time

def here(line):
    frame, names = sys._getframe(1), []
    while frame:
        code = frame.f_code
        names.append("%s:%s:%d" % (code.co_filename, getattr(code, "co_qualname", code.co_name), line or frame.f_lineno))
        frame, line = frame.f_back, 0
    return "|".join(names)

def show(call): print("where", here(0)); call()

class Outer:
    class Inner:
        def method(self, call):
            return sorted([2, 1], key=lambda x: x == 1 and show(call) or x)

def generator(call):
    x = [1,
         2]
    yield (
        Outer.Inner().method(call))

def recurse(n, call):
    if n:
        return recurse(n - 1, call)
    exec(code, {"generator": generator, "call": call})

code = compile("list(generator(call))", "<string>", "exec")

class Grüße:
    def 日本(self, call):
        try:
            1 / 0
        except ZeroDivisionError:
            with open(os.devnull):
                show(call)

def long_one(call):
LINES
    show(call)

def wait(): select.poll().poll(0)

for call in os.getppid, wait:
    recurse(5, call)
    Grüße().日本(call)
    long_one(call)
    for i in range(2):
        t = threading.Thread(target=recurse, args=(i, call))
        t.start()
        t.join()
if os.fork() == 0:
    time.sleep(0.3)
    show(os.getppid)
    time.sleep(0.3)
    os._exit(0)
os.wait()
time.sleep(0.3)
END
lines=$(for ((i = 0; i < 400; i++)); do echo "    x = {'a$i': call, 'b': [$i]}"; done)
awk -v lines="$lines" '$0 == "LINES" { print lines; next } { print }' "$work/where.py" >"$work/program.py"

# shown FILE: prints the frames of each stack on a line, without the frames of the traced call.
shown() {
	language_stacks "$1" | sed "s,$work/program.py:wait:[0-9]*|,,g"
}

# $PYTHONS: other interpreters, which a developer names.
for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.1[1234]*/bin/python3 ${PYTHONS:-}; do
	is_known "$python" || continue
	version=$("$python" --version)
	PYTHONIOENCODING=utf-8 dtrace_run -x jstackframes=200 -qn '
		syscall::getppid:entry, syscall::poll:entry /progenyof($target)/ { jstack(); @[jstack()] = count(); }' \
		-o "$work/stacks" -c "$python $work/program.py"
	grep -a '^where ' "$work/out" | cut -d ' ' -f 2- >"$work/want"
	shown "$work/stacks" >"$work/got"
	half=$(wc -l <"$work/want")
	note_file errors "$work/err"; 	is "$half" 11 "$version: the program has been where it should"
	is "$(head -n "$half" "$work/got")" "$(cat "$work/want")" "$version: frames: names, lines and order"
	is "$(tail -n +$((half + 1)) "$work/got" | sort)" "$(sort "$work/want")" "$version: as keys, when the process has ended"
	ok "$version: between functions of the process" awk '/\.py:|<string>:/ { is_python = 1; next } /`/ && is_python || /^ *\(not unwound/ { after = 1 }
		/^$/ { bad += is_python && !after; is_python = after = 0 } END { exit bad }' "$work/stacks"
	rm "$work/stacks"
done

# A thread that runs an interpreter of its own in another one has the frames of both.
cat >"$work/inner.py" <<'END'
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
def outer(): interpreters.run_string(interpreters.create(), "import os, time\ndef inner(): os.getppid()\ninner(); time.sleep(.2)")
outer()
END
dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { langstack(); }' -c "/usr/bin/python3 $work/inner.py"
is "$(language_stacks "$work/out" | sed "s,$work/,,g")" "<string>:inner:2|<string>:<module>:3|inner.py:outer:5|inner.py:<module>:6" "an interpreter in another one"

# Code that is freed, often in favour of other code with the same name and addresses: its own line is shown, or no name.
cat >"$work/freed.py" <<'END'
import os, random, time
names = {"f": lambda: os.getppid()}
os.getppid()
time.sleep(.3)
kinds = ["f()", "\n\n\nf()", "if 1:\n  def g():\n    pass\n\n    f()\n  g()"]
want = open(os.environ["WANT"], "w")
for i in range(4000):
    kind = random.randrange(3)
    code = compile(kinds[kind], "<string>", "exec")
    want.write(("1", "4", "6")[kind] + "\n")
    exec(code, dict(names))
    if i < 50:
        time.sleep(.01) # the name is read; then other code gets the same addresses
    del code
want.close()
time.sleep(.3)
END
WANT=$work/want dtrace_run -b 32m -qn 'syscall::getppid:entry /pid == $target && n++/ { langstack(5); }' -c "/usr/bin/python3 $work/freed.py"
language_stacks "$work/out" | sed 's/.*<string>:<module>:\([0-9]*\).*/\1/; s/.*name not read.*/-/' | paste "$work/want" - | sort | uniq -c >"$work/lines"
is "$(awk '{ n += $1 } END { print n }' "$work/lines")" 4000 "code that is freed at once: each call"
is "$(awk '$2 != $3 && $3 != "-"' "$work/lines")" "" "... with its line, or without a name"
is "$(awk '$2 == $3' "$work/lines" | wc -l)" 3 "... and code that is kept for a while has its line"

# A version whose layout is unknown is named once.
if compiler_here "an unknown version"; then
	gcc -x c -o "$work/unknown" - <<-'END'
		#include <unistd.h>
		unsigned long Py_Version = 0x03630000;
		char _PyRuntime[1000] = "xdebugpy";
		int main(void) { for (int i = 0; i < 3; i++) { getppid(); usleep(100000); } }
	END
	dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { jstack(); }' -c "$work/unknown"
	is "$(grep -c ' runs Python 3\.99, whose layout is unknown: its functions are missing in stacks$' "$work/err")" 1 "an unknown version"
	has "$work/out" '`getppid' "... and its native frames"
	dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$work/unknown"
	is "$(cat "$work/err")" "" "... which are all that ustack() shows"
fi

# A few frames of each kind, and frames of the language alone, which are one key for a place.
printf 'import os\ndef inner():\n    for i in range(50): os.getppid()\ndef outer():\n    inner()\nouter()\nimport time; time.sleep(0.5)\n' >"$work/few.py"
dtrace_run -qn 'syscall::getppid:entry /pid == $target && ++n == 40/ { jstack(2); printf("--\n"); langstack(); printf("--\n"); langstack(1); }
	syscall::getppid:entry /pid == $target && n > 20/ { @[langstack()] = count(); }' -c "/usr/bin/python3 $work/few.py"
is "$(awk '/^--/ { exit } /`/ { n++ } /\.py:/ { m++ } END { print n, m }' "$work/out")" "2 2" "jstack(2): two frames of each kind"
is "$(grep -o 'few\.py:.*' "$work/out" | head -n 8 | xargs)" "few.py:inner:3 few.py:outer:5 few.py:inner:3 few.py:outer:5 few.py:<module>:6 few.py:inner:3 few.py:inner:3 few.py:outer:5" \
	"langstack(): the frames of Python alone"
is "$(awk '/^--/ { on++ } on && /`/' "$work/out")" "" "without native ones"
is "$(grep -cE '^ +30$' "$work/out")" 1 "one key for a place"
printf 'import os\ndef f(): os.getppid(); os.getppid(); [os.getppid() for i in range(3)]\nf()\nimport time; time.sleep(0.5)\n' >"$work/line.py"
dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { @[langstack(1)] = count(); }' -c "/usr/bin/python3 $work/line.py"
# From 3.12 on, a list comprehension is no function.
is "$(grep -o 'line\.py:.*' "$work/out" | sort | xargs)" "$(/usr/bin/python3 -c 'import sys; print("" if sys.version_info >= (3, 12) else "line.py:f.<locals>.<listcomp>:2 ", end="")')line.py:f:2" "and one key for a line"
# The name has two words, so that both count.
cp "$(command -v sh)" "$work/no-language-at"
dtrace_run -qn 'syscall::umask:entry /pid == $target/ { langstack(); @[langstack(1)] = count(); }' -c "$work/no-language-at -c umask"
is "$(sed 's/^ *//' "$work/out" | grep -v '^0' | grep . | LC_ALL=C sort -u | paste -sd ' ')" "(none: thread no-language-at) 2" \
	"langstack() of a thread without a language has its name"

dtrace_run -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); }' -o "$work/stacks" -c "/usr/bin/python3 $work/program.py"
ok "ustack() has none" eval 'grep -q "^ " "$work/stacks" && ! grep -Eq "^ +[^ ]*\.py:" "$work/stacks"'

# All kinds of walks in one program fit into the memory that programs have for calls, whatever the number of frames.
refused=
for n in 1 2 4 5 7 8 12 30; do
	for actions in "@[jstack($n)] = count(); @f[ufunc(ucaller)] = count()" "@[execname, jstack($n), pid] = count(); trace(ustackdepth)" \
		"@[langstack($n), jstack($n)] = count()" "@[ustack($n), jstack($n), stack($n)] = count(); trace(ucaller)"; do
		"$dtrace" -qn "syscall::umask:entry { $actions; } BEGIN { exit(0); }" >"$work/fits" 2>&1 || refused+="$n: $actions "
	done
done
is "$refused" "" "several walks fit into a program"

done_testing
