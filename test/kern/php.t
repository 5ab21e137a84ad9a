#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# php.t: frames of PHP between native frames, compared with the stacks that the program prints.
#
# guests: none
# needs: php
. "${0%/*}/lib.sh"

version=$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION, PHP_ZTS ? "zts" : "";')
case $version in
8.2 | 8.4) ;;
*) skip_all "PHP $version, whose frames are not known" ;;
esac
[ "$(php -r 'echo function_exists("posix_getppid");')" = 1 ] || skip_all "PHP without posix"

# Prints its stack, and makes the traced call on the same line.  It then waits until its names have been read.
cat >"$work/program.php" <<'END'
<?php
function here() {
	$list = [];
	$t = debug_backtrace();
	for ($i = 1; $i <= count($t); $i++) {
		$name = $t[$i]['function'] ?? '{main}';
		if (isset($t[$i]['class']))
			$name = $t[$i]['class'] . '::' . $name;
		if (in_array($name, ['include', 'require', 'eval']))
			$name = '{main}';
		$list[] = isset($t[$i - 1]['file']) ? $t[$i - 1]['file'] . ":$name:" . $t[$i - 1]['line'] : "[internal]:$name";
	}
	return implode('|', $list);
}
function show() { echo "where ", here(), "\n"; posix_getppid(); printed(); }
function printed() {
	static $before = 0, $waits = 0;
	while (($size = file_exists(getenv('PRINTED')) ? filesize(getenv('PRINTED')) : 0) <= $before && $waits++ < 1000) {
		usleep(5000);
		clearstatcache();
	}
	$before = $size;
}
function recurse($n) {
	if ($n)
		return recurse($n - 1);
	show();
}
class Base {
	static function make($f) {
		return $f(1,
			2);
	}
	function __call($name, $args) { show(); }
	function __toString() { show(); return 'text'; }
	function __destruct() { show(); }
}
class Derived extends Base {
	function method() { return array_map(fn($x) => show(), [1]); }
}
function numbers() {
	yield 1;
	show();
	foreach (inner() as $n)
		yield $n;
}
function inner() {
	yield 2;
	show();
}
recurse(20);
$d = new Derived;
$d->method();
$d->nosuch(7);
"$d";
Base::make(function ($a, $b) {
	usort($GLOBALS['list'], function ($x, $y) { show(); return $x - $y; });
});
foreach (numbers() as $n)
	;
eval('show();');
include __DIR__ . '/included.php';
try {
	throw new Exception('x');
} catch (Exception $e) {
	show();
} finally {
	show();
}
$fiber = new Fiber(function () { show(); Fiber::suspend(); show(); });
$fiber->start();
$fiber->resume();
(new class { function m() { show(); } })->m();
$d = null;
usleep(300000);
END
sed -i 's/^recurse(20);/$list = [2, 1];\n&/' "$work/program.php"
printf '<?php\nfunction included() {\n\tshow();\n}\nincluded();\n' >"$work/included.php"

# shown FILE: prints the frames of PHP of each stack on a line, without the traced call.
shown() {
	language_stacks "$1" | sed 's/^\[internal\]:posix_getppid|//'
}

export PRINTED=$work/stacks
for options in '' '-d opcache.enable_cli=1' '-d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -d opcache.jit=tracing'; do
	# shellcheck disable=SC2086
	dtrace_run -x jstackframes=200 -qn 'syscall::getppid:entry /progenyof($target)/ { jstack(); }' \
		-o "$work/stacks" -c "php $options $work/program.php"
	grep -a '^where ' "$work/out" | cut -d ' ' -f 2- | tr -d '\000' | sed 's/class@anonymous.*\$[0-9a-f]*::/class@anonymous::/' >"$work/want"
	shown "$work/stacks" >"$work/got"
	between "$(wc -l <"$work/want")" 15 40 "${options:-plain}: the program makes its calls"
	is "$(cat "$work/got")" "$(cat "$work/want")" "${options:-plain}: names, lines and order"
	ok "${options:-plain}: no message" test ! -s "$work/err" || note_file errors "$work/err"
	rm "$work/stacks"
done

# As keys of an aggregation, when the process has ended; and in a profile.
dtrace_run -x jstackframes=200 -qn 'syscall::getppid:entry /progenyof($target)/ { @[jstack()] = count(); printf("called\n"); }' \
	-o "$work/stacks" -c "php $work/program.php"
grep -a '^where ' "$work/out" | sort -u | wc -l >"$work/want"
is "$(shown "$work/stacks" | sort -u | wc -l)" "$(cat "$work/want")" "as keys"
echo '<?php function busy($n) { $s = 0; for ($i = 0; $i < $n; $i++) $s += sqrt($i); return $s; } busy(30000000);' >"$work/busy.php"
dtrace_run -qn 'profile-997 /pid == $target/ { @[jstack(50)] = count(); }' -c "php $work/busy.php"
ok "a profile has the busy function" grep -q 'busy\.php:busy:1' "$work/out"

# Closures of files and code of evals, which are freed after each call, so that the next ones have their addresses: each
# has its own name, or none.  The first calls wait until their names have been read.
for k in 0 1 2; do
	printf '<?php\nreturn function ($is_first) { posix_getppid(); if ($is_first) printed(); };\n' >"$work/$k.php"
done
{
	echo '<?php'
	sed -n '/^function printed/,/^}/p' "$work/program.php"
	cat <<'END'
mt_srand(1);
$want = fopen(getenv('WANT'), 'w');
posix_getppid();
printed();
for ($i = 0; $i < 3000; $i++) {
	$is_first = $i < 6;
	switch ($kind = $is_first ? $i : mt_rand(0, 5)) {
	case 3: eval('posix_getppid(); if ($is_first) printed();'); $line = __LINE__; break;
	case 4: eval('posix_getppid(); if ($is_first) printed();'); $line = __LINE__; break;
	case 5: eval('posix_getppid(); if ($is_first) printed();'); $line = __LINE__; break;
	default:
		(include __DIR__ . "/$kind.php")($is_first);
		fwrite($want, "$kind.php:{closure}:2\n");
		continue 2;
	}
	fwrite($want, "freed.php($line) : eval()'d code:{main}:1\n");
}
END
} >"$work/freed.php"
rm -f "$work/stacks"
WANT=$work/want dtrace_run -b 32m -qn 'syscall::getppid:entry /pid == $target/ { printf("call\n"); langstack(2); }' -o "$work/stacks" \
	-c "php $work/freed.php"
sed 's/^call$//' "$work/stacks" >"$work/calls"
language_stacks "$work/calls" | sed '1d; s/^[^|]*|//; s,^'"$work"'/,,; s/{closure:[^}]*}/{closure}/' | paste "$work/want" - >"$work/both"
is "$(wc -l <"$work/both")" 3000 "code that is freed at once: each call"
is "$(awk -F '\t' '$1 != $2 && $2 != "(name not read)"' "$work/both" | sort | uniq -c)" "" "... with its name, or none"
between "$(awk -F '\t' '$1 == $2' "$work/both" | wc -l)" 6 3000 "... and some have their names"
done_testing
