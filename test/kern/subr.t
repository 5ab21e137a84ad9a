#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# subr.t: subroutines that need the real kernel, and code that the verifier must accept for any string size.
# rows: getf
#
# guests: none
. "${0%/*}/lib.sh"

# one EXPRESSION [OPTION...]: prints a string in BEGIN.
one() {
	local expr=$1
	shift
	dtrace_run -q "$@" -n "BEGIN { s = \"/usr/lib/x\"; r = $expr;
		printf(\"%s\", r == NULL ? \"\" : r); exit(0); } ERROR { exit(1); }"
	cat "$work/out" "$work/err"
}

cd -P "$work" || exit 1
is "$(one 'd_path(&curthread->fs->pwd)')" "$PWD" "d_path() of the current directory"
is "$(one 'd_path(&curthread->fs->root)')" / "d_path() of the root"
exec 7<"$work/out" 8</proc/self/mounts
is "$(one 'd_path(&getf(7)->f_path)')" "$PWD/out" "getf() of a file, and its path"
has <(one 'd_path(&getf(8)->f_path)') '^/proc/[0-9]+/mounts$' "d_path() across a mount"
is "$(one 'getf(1000) == NULL ? "none" : "some"')" none "getf() of no file"
is "$(one 'getf(-1) == NULL ? "none" : "some"')" none "getf() of no descriptor"
exec 7<&- 8<&-

is "$(one 'lltostr(progenyof($pid))')" 1 "progenyof() of the process itself"
is "$(one "lltostr(progenyof($$))")" 1 "progenyof() of an ancestor"
is "$(one 'lltostr(progenyof(1))')" 1 "progenyof() of the first process"
sleep 60 &
is "$(one "lltostr(progenyof($!))")" 0 "progenyof() of another child of the parent"
kill $!

printf '#!/bin/sh\necho hello world >%s/text\n' "$work" >"$work/hello"
chmod +x "$work/hello"
dtrace_run -w -q -n 'syscall::write:entry /pid == $target && copyinstr(arg1, 5) == "hello"/ {
	this->p = (char *)alloca(2); this->p[0] = 74; copyout(this->p, arg1, 1);
	copyoutstr("WORLD", arg1 + 6, 5); }' -c "$work/hello"
if ! lockdown_is none; then
	has "$work/err" 'this kernel allows no program to write user memory' "copyout() where the kernel is locked down"
else
	is "$(cat "$work/text")" "Jello WORLD" "copyout(), copyoutstr() in front of a system call"
fi

sizes="1 2 7 256 4096 65536"
fast_here "strsize=2, strsize=4096" || sizes="1 7 256 65536"
for size in $sizes; do
	for expr in 'basename(s)' 'dirname(s)' 'cleanpath(s)' 'toupper(s)' 'substr(s, 2, 3)' \
		'strjoin(s, "")' 'lltostr(-5)' 'lltostr(strtoll(s))' 'lltostr(index(s, "lib"))' \
		'lltostr(rindex(s, "lib", 9))' 'strstr(s, "lib")' 'strchr(s, 108)' 'strrchr(s, 47)' \
		'strtok(s, "/")' 'json("{\"a\":[1,{\"b\":2}]}", "a[1].b")' 'memstr((char *)curthread, 65, 9)' \
		'd_path(&curthread->fs->pwd)' 'inet_ntoa6((in6_addr_t *)curthread)' \
		'inet_ntop(AF_INET, curthread)' 'link_ntop(ARPHRD_ETHER, curthread)' 's == execname ? "y" : "n"'; do
		one "$expr" -x strsize=$size >/dev/null
		is $status 0 "strsize=$size: $expr"
	done
done

done_testing
