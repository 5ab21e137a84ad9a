#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# languages.sh: nanoseconds that a stack adds to a system call, in programs of languages: the call is made 20 functions
# deep.  Each program runs three times with each action, in turns, and the shortest time counts.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
calls=100000
depth=20

cat >"$work/p.py" <<'END'
import os, sys
def f(depth, n):
    if depth: return f(depth - 1, n)
    for i in range(n): os.getppid()
f(int(sys.argv[1]), int(sys.argv[2]))
END
cat >"$work/p.rb" <<'END'
def f(depth, n)
  return f(depth - 1, n) if depth > 0
  n.times { Process.ppid }
end
f(ARGV[0].to_i, ARGV[1].to_i)
END
cat >"$work/p.php" <<'END'
<?php
function f($depth, $n) {
	if ($depth) return f($depth - 1, $n);
	for ($i = 0; $i < $n; $i++) posix_getppid();
}
f((int) $argv[1], (int) $argv[2]);
END
cat >"$work/p.pl" <<'END'
sub f {
	my ($depth, $n) = @_;
	return f($depth - 1, $n) if $depth;
	getppid() for 1 .. $n;
}
f(@ARGV);
END
cat >"$work/p.js" <<'END'
function f(depth, n) {
	if (depth) return f(depth - 1, n);
	for (let i = 0; i < n; i++) process.ppid;
}
f(Number(process.argv[2]), Number(process.argv[3]));
END

cat >"$work/P.java" <<'END'
public class P {
	static long f(int depth, int n) {
		if (depth > 0)
			return f(depth - 1, n);
		long sum = 0;
		for (int i = 0; i < n; i++)
			sum += ProcessHandle.current().parent().isPresent() ? 1 : 0;
		return sum;
	}
	public static void main(String[] args) {
		f(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
	}
}
END
programs=("python3 $work/p.py" "ruby $work/p.rb" "php $work/p.php" "perl $work/p.pl" "node $work/p.js")
javac -d "$work" "$work/P.java" && programs+=("java -cp $work P")

# run_ms ACTION COMMAND...: prints how long the program runs, traced or (without an action) not.
run_ms() {
	local action=$1 program="$2 $depth $calls" clause from
	case $action in
	'') clause='BEGIN { }' ;;
	*) clause="syscall::getppid:entry /pid == \$target/ { @[$action] = count(); }" ;;
	esac
	from=$(date +%s%N)
	build/dtrace -qn "$clause proc:::exit /pid == \$target/ { exit(0); }" -c "$program" >/dev/null 2>&1
	echo $((($(date +%s%N) - from) / 1000))
}

printf '%-10s %10s %10s %10s   (ns)\n' language 'ustack()' 'jstack()' 'langstack()'
for program in "${programs[@]}"; do
	command -v "${program%% *}" >/dev/null || continue
	declare -A best=()
	for _ in 1 2 3; do
		for action in '' 'ustack()' 'jstack()' 'langstack()'; do
			us=$(run_ms "$action" "$program")
			if [ -z "${best[x$action]:-}" ] || [ "$us" -lt "${best[x$action]}" ]; then
				best[x$action]=$us
			fi
		done
	done
	printf '%-10s' "${program%% *}"
	for action in 'ustack()' 'jstack()' 'langstack()'; do
		printf ' %10d' $(((best[x$action] - best[x]) * 1000 / calls))
	done
	echo
done
