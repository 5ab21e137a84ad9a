#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# perfmap.t: names of functions that processes generate, from the files that they write for perf(1).
# rows: jstack
# guests: 6.1
. "${0%/*}/lib.sh"

jit=$top/build/test-jit
cd "$work" || exit 1 # node writes a file into the current directory

# run ACTION COMMAND: prints what the action shows at the program's own system calls.
run() {
	dtrace_run -qn "syscall::umask:entry /progenyof(\$target) && execname == \"test-jit\"/ { $1 }" -c "$2"
}

run 'ustack(4);' "$jit own"
has "$work/out" '^ +made first:1$' "what is made before it is looked for"
has "$work/out" '^ +made_second$' "what is made later"
positive "$(grep -c 'test-jit`main' "$work/out")" "and who called it"
run 'ustack(4);' "$jit late"
has "$work/out" '^ +made first:1$' "what is called before there is a file"
has "$work/out" '^ +made_second$' "... and later"
run 'ustack(4);' "$jit memfd"
has "$work/out" '^ +made first:1$' "code in a memfd"
has "$work/out" '^ +made_second$' "... and later"
run '@[jstack(4)] = count(); @f[ufunc(ucaller)] = count();' "$jit own"
has "$work/out" '^ +made first:1$' "when the process has ended, its file with it"

# In the namespace the process has another pid, and another /tmp, which can hide the program's folder.
apart=$(mktemp -d /var/tmp/XXXXXX)
cp "$jit" "$apart"
printf 'mount -t tmpfs none /tmp && exec %s own\n' "$apart/test-jit" >"$work/apart.sh"
run 'ustack(4);' "unshare -pfm /bin/sh $work/apart.sh"
rm -r "$apart"
has "$work/out" '^ +made_second$' "in namespaces of its own"

for kind in link other pipe; do
	run '@[ustack(4)] = count();' "$jit $kind"
	is "$(grep -c made_ "$work/out")" 0 "not trusted: $kind"
	is "$(grep -Ec '^ +0x[0-9a-f]+$' "$work/out")" 2 "... which leaves the addresses"
done

# remove_map PID: removes the file, which runtimes leave.
remove_map() {
	rm -f "/tmp/perf-$1.map"
}

if [ -n "${GUEST:-}" ] || ! type -P node >/dev/null; then
	skip "names of JavaScript" "there is no node"
else
	cat >"$work/busy.js" <<-'END'
	function busyInner(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i); return s; }
	function busyOuter() { const end = Date.now() + 1500; let s = 0; while (Date.now() < end) s += busyInner(100000); return s; }
	busyOuter();
	END
	dtrace_run -qn 'profile-199 /pid == $target && arg1/ { @[ustack()] = count(); } END { printf("pid %d\n", $target); }' \
		-c "node --perf-basic-prof --interpreted-frames-native-stack $work/busy.js"
	remove_map "$(sed -n 's/^pid //p' "$work/out")"
	positive "$(grep -Ec '^ +.*busyInner .*busy\.js' "$work/out")" "a function of JavaScript"
	positive "$(grep -Ec '^ +.*busyOuter .*busy\.js' "$work/out")" "... and its caller"
	dtrace_run -qn 'profile-199 /pid == $target && arg1/ { @[ustack()] = count(); }' \
		-c "node --perf-prof --interpreted-frames-native-stack $work/busy.js"
	positive "$(grep -Ec '^ +.*busyInner .*busy\.js' "$work/out")" "a function of JavaScript in a dump"
fi

if [ -n "${GUEST:-}" ] || ! type -P javac >/dev/null; then
	skip "names of Java" "there is no javac"
else
	cat >"$work/Busy.java" <<-'END'
	public class Busy {
		static double inner(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i * 3.0 + s); return s; }
		public static void main(String[] a) { double s = 0; for (;;) s += inner(200000); }
	}
	END
	javac -d "$work" "$work/Busy.java"
	java -cp "$work" Busy >/dev/null 2>&1 &
	java=$!
	own_pids+=("$java")
	wait_for 20 jcmd "$java" Compiler.perfmap
	sleep 1
	jcmd "$java" Compiler.perfmap >/dev/null
	dtrace_run -qn 'profile-199 /pid == $target && arg1/ { @[ustack()] = count(); } tick-1s { exit(0); }' -p "$java"
	end_pid "$java" KILL
	remove_map "$java"
	has "$work/out" '^ +double Busy\.inner\(int\)$' "a method of Java"
	has "$work/out" '`JavaMain\+' "... and where Java was started"
fi

done_testing
