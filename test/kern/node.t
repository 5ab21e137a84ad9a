#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# node.t: frames of JavaScript between native frames, compared with the stacks that the program prints.  NODE names another node.
#
# guests: none
# needs: node
. "${0%/*}/lib.sh"

node=${NODE:-node}
[ "$(uname -m)" = x86_64 ] || skip_all "another processor"
type -P "$node" >/dev/null || skip_all "there is no node"
version=$("$node" -p process.versions.v8)
case $version in
10.2.* | 11.3.* | 12.4.* | 13.6.*) ;;
*) skip_all "V8 $version, whose frames are not known" ;;
esac

# Prints its stack, and makes the traced call on the same line.  It then waits until dtrace has printed the call, and so has
# read its names.  A first call from compiled code tells dtrace where such code is.
cat >"$work/program.js" <<'END'
'use strict';
const fs = require('fs'), vm = require('vm'), threads = require('worker_threads');
Error.stackTraceLimit = Infinity;
function frame(site) {
  const known = site.getFunctionName() || '(anonymous)', name = /^\[/.test(known) ? '(anonymous)' : known, file = site.getFileName();
  if (file || site.isEval())
    return `${file || '<anonymous>'}:${name}:${site.getLineNumber()}`;
  return `[internal]:${name}`;
}
function frames() {
  const prepare = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, sites) => sites.filter(site => !site.isAsync()).slice(1).map(frame).join('|');
  const text = new Error().stack;
  Error.prepareStackTrace = prepare;
  return text;
}
const cell = new Int32Array(new SharedArrayBuffer(4));
const wait = ms => Atomics.wait(cell, 0, 0, ms);
function size() {
  try {
    return fs.statSync(process.env.PRINTED).size;
  } catch {
    return 0;
  }
}
// dtrace prints this line after it has read the names of a call.  Few objects, because a collection of memory moves names.
const line = Buffer.from('called\n'), last = Buffer.alloc(line.length);
function has_line(at) {
  const file = fs.openSync(process.env.PRINTED);
  fs.readSync(file, last, 0, last.length, at - last.length);
  fs.closeSync(file);
  return last.equals(line);
}
function printed(before) {
  for (let i = 0; i < 500; i++) {
    const now = size();
    if (now > before && has_line(now))
      return;
    wait(5);
  }
}
function show() {
  const before = size();
  fs.writeSync(1, `where ${frames()}\n`); process.ppid; printed(before);
}
global.show = show;
if (!threads.isMainThread) {
  (function inWorker() { [1].map(() => show()); })();
  return;
}

function recurse(n) {
  if (n > 0)
    return recurse(n - 1);
  show();
}
class Base {
  #hidden() { show(); }
  constructor() { show(); }
  static single() {
    show();
  }
  get value() { show(); return 1; }
  set value(v) { show(); }
  method() { return this.#hidden(); }
  toString() { show(); return ''; }
  *[Symbol.iterator]() { yield 1; }
}
class Derived extends Base {
  constructor() {
    super();
  }
  method() { super.method(); }
}
function* generator() {
  show();
  yield 1;
  [2].forEach(function inner() { show(); });
}
async function waits() {
  show();
  await null;
  show();
}
function closures(n) {
  const outer = () => { const inner = () => { n++; show(); }; inner(); };
  return outer;
}
function throws() {
  try {
    null.x;
  } catch (e) {
    show();
  } finally {
    show();
  }
}

const nothing = [() => 1, () => 2, () => 3, () => 4, () => 5];
const call = f => f();
for (let i = 0; i < 20000; i++)
  call(nothing[i % 5]);
const before = size();
call(process.umask);
printed(before);
recurse(20);
const d = new Derived();
d.method();
d.value;
d.value = 2;
Base.single();
`${d}`;
closures(1)();
for (const x of generator())
  ;
throws();
const o = { plain() { show(); }, get got() { show(); return 1; }, arrow: () => show() };
o.plain();
o.got;
o.arrow();
o.assigned = function () { show(); };
o.assigned();
Base.prototype.later = function () { show(); };
d.later();
[1, 2].map((x) => { show(); return x; });
[2, 1].sort((a, b) => { show(); return a - b; });
[1].reduce((a, b) => { show(); return a; }, 0);
new Map([[1, 2]]).forEach((v) => show());
'a'.replace(/a/, () => { show(); return 'b'; });
JSON.parse('{"a":1}', function revive(k, v) { if (!k) show(); return v; });
new Proxy({}, { get(target, key) { show(); } }).x;
(() => show()).call(null);
Reflect.apply(show, null, []);
new Promise((done) => { show(); done(); });
((s, ...v) => show())`a${1}`;
eval('show()');
eval('(function evaluated() {\n\n  show();\n})')();
new Function('f', 'f()')(show);
vm.runInThisContext('\n(function script() { show(); })()', 'script.js');
require('./required');
vm.runInThisContext('(function () {\n' + '/* \u2028 \u{1f600} */\r\n'.repeat(300) + 'show(); })()', 'w\u00efde \u{1f600}.js');

// Compiled and inlined.  The function is an argument, so that the call of another one does not discard the code.
function innermost(f, x) {
  f();
  return x;
}
function inlined(f, x) { return innermost(f, x) + 1; }
function hot(f, x) {
  let y = x;
  y += inlined(f, y);
  return y;
}
function heat(n) {
  for (let i = 0; i < n; i++)
    hot(nothing[i % 5], i);
  hot(show, n);
}
heat(10);
heat(100000);
if (global.gc)
  gc();
recurse(2);
// Discarded while it runs: the object changes.
function Shape(f) { this.f = f; }
const shape = new Shape(1);
function uses(f) {
  f(0);
  return shape.f;
}
for (let i = 0; i < 50000; i++)
  uses(nothing[i % 5]);
uses(() => { shape.g = 1; delete shape.f; show(); });

waits().then(() => show());
process.nextTick(function ticked() { show(); });
queueMicrotask(() => show());
setTimeout(function timer() {
  setImmediate(async () => {
    show();
    await import('./module.mjs');
    new threads.Worker(__filename).on('exit', () => {
      if (global.gc)
        gc();
      recurse(3);
      new threads.Worker(__filename);
    });
  });
}, 1);
setTimeout(() => {}, 300);
END
printf 'exports.f = (() => {\n  show();\n})();\n' >"$work/required.js"
printf 'export function exported() {\n  show();\n}\nexported();\nawait null;\nexported();\n' >"$work/module.mjs"

# shown FILE: prints the frames of each stack on a line.  V8 itself does not print functions of the embedder.
shown() {
	language_stacks "$1" | sed -E 's/\[internal\]:(runMicrotasks|runInContext|evaluate)\|//g'
}

# node itself makes other calls that have no arguments, also when a worker starts.
first='syscall::umask:entry /progenyof($target) && arg0 == 0/ { @first[ustack()] = count(); printf("called\n"); } END { trunc(@first); }'
called='syscall::getppid:entry /progenyof($target)/ { printf("called\n"); }'
export PRINTED=$work/stacks
for options in '' --always-sparkplug --no-opt --expose-gc; do
	dtrace_run -x jstackframes=300 -qn "$first"' syscall::getppid:entry /progenyof($target)/ { jstack(); }'"$called" \
		-o "$work/stacks" -c "$node $options $work/program.js"
	grep -a '^where ' "$work/out" | cut -d ' ' -f 2- >"$work/want"
	shown "$work/stacks" >"$work/got"
	is "$(wc -l <"$work/want")" 50 "node $options: the program makes its calls"
	ok "node $options: names, lines and order" cmp -s "$work/got" "$work/want" ||
		note "$(diff "$work/got" "$work/want")"
	ok "node $options: no message" test ! -s "$work/err" || note_file errors "$work/err"
	rm "$work/stacks"
done

# Native frames are there, too; and as keys of an aggregation, when the process has ended.
dtrace_run -x jstackframes=300 -qn "$first"' syscall::getppid:entry /progenyof($target)/ { @[langstack()] = count(); @n[jstack()] = count(); }'"$called" \
	-o "$work/stacks" -c "$node $work/program.js"
is "$(shown "$work/stacks" | sort | uniq -c | sed 's/^ *2 //' | sort -u)" \
	"$(grep -a '^where ' "$work/out" | cut -d ' ' -f 2- | sort -u)" "as keys, with and without native frames"
has "$work/stacks" 'getppid' "native frames"
rm "$work/stacks"

# Methods, fields and accessors.  V8 stores a computed name in the object of the function, and one piece of code can have
# many such objects.  So functions have the names that V8 writes for profilers.
cat >"$work/names.js" <<'END'
'use strict';
const fs = require('fs'), cell = new Int32Array(new SharedArrayBuffer(4));
const computed = `comp${1 + 1}`, mark = Symbol('mark');
process.umask();
for (let i = 0; i < 500 && !(fs.existsSync(process.env.PRINTED) && fs.statSync(process.env.PRINTED).size); i++)
  Atomics.wait(cell, 0, 0, 5);
class Named {
  [computed]() { return process.ppid; }
  [mark]() { return process.ppid; }
  *[Symbol.iterator]() { yield process.ppid; }
  field = () => process.ppid;
  ['field' + 2] = function () { return process.ppid; };
  static [computed + 'static']() { return process.ppid; }
  #hidden() { return process.ppid; }
  hidden() { return this.#hidden(); }
  get [computed + 'get']() { return process.ppid; }
  get plain() { return process.ppid; }
  'quoted name'() { return process.ppid; }
  42() { return process.ppid; }
  static { process.ppid; }
}
const n = new Named(), o = {
  [computed]() { return process.ppid; },
  [mark]: () => process.ppid,
  plain() { return process.ppid; },
};
o[computed + 2] = function () { return process.ppid; };
[n[computed](), n[mark](), [...n], n.field(), n.field2(), Named[computed + 'static'](), n.hidden(), n[computed + 'get'], n.plain,
  n['quoted name'](), n[42](), o[computed](), o[mark](), o.plain(), o[computed + 2]()];
Atomics.wait(cell, 0, 0, 300);
END
dtrace_run -qn "$first"' syscall::getppid:entry /pid == $target/ { @[langstack()] = count(); }' \
	-n 'END { printf("pid %d\n", $target); }' -o "$work/stacks" -c "$node --perf-basic-prof --no-logfile-per-isolate --logfile=$work/v8.log $work/names.js"
map=/tmp/perf-$(sed -n 's/^pid //p' "$work/stacks").map
language_stacks "$work/stacks" | grep -v '^$' | sed 's/^\[internal\]:[^|]*|//; s/|.*//; s/.*names\.js:\(.*\):\([0-9]*\)$/\2 \1/' | sort -u >"$work/got"
# V8 before 11 writes the kind of code for JS, and no columns.
sed -n 's/^[^ ]* [^ ]* \(JS\|LazyCompile\|Function\):[~^*]*\(.*\) [^ ]*names\.js:\([0-9]*\)\(:[0-9]*\)\{0,1\}$/\3 \2/p' "$map" | sed 's/^\([0-9]*\) $/\1 (anonymous)/' | sort -u >"$work/names"
rm -f "$map"
between "$(wc -l <"$work/got")" 16 17 "names of methods: the program makes its calls" || note_file got "$work/got"
is "$(comm -23 "$work/got" "$work/names")" "" "names of methods, as V8 writes them"
is "$(grep -c anonymous "$work/got")" 6 "names of methods: only computed names are missing"
rm "$work/stacks"

# The time of compiled code goes to its lines, and to the code that is inlined there.
cat >"$work/busy.js" <<'END'
function least(a) {
  return a.indexOf('nothing');
}
function busy(until) {
  let n = 0;
  while (process.cpuUsage().user < until)
    for (let i = 0; i < 1000; i++)
      n += least('some text ' + i);
  return n;
}
busy(process.cpuUsage().user + 1e6);
END
dtrace_run -qn 'profile-997 /pid == $target/ { @n = count(); } profile-997 /pid == $target/ { @[jstack(60)] = count(); }' \
	-c "$node $work/busy.js"
awk 'BEGIN { RS = "" } NF == 1 { next } { n += $NF } /busy\.js:busy:[678]/ { busy += $NF } /busy\.js:least:2/ { least += $NF }
	END { print int(busy * 100 / n), int(least * 100 / n) }' "$work/out" >"$work/shares"
read -r busy least <"$work/shares"
between "$busy" 70 100 "a profile: the function that computes"
between "$least" 5 100 "a profile: the function that it calls"
done_testing
