#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# names.t: function names of programs without symbols, from files that have them; C++ names.
#
# guests: none
# needs: g++ gcc objcopy readelf
. "${0%/*}/lib.sh"
compiler_here "names of functions" || done_testing

cd "$work" || exit 1
cat >deep.c <<'END'
#include <unistd.h>
#include <sys/stat.h>
static __attribute__((noipa)) int inner(void) { umask(0); return 1; }
static __attribute__((noipa)) int outer(void) { return inner() + 1; }
int main(void) { return outer() != 2; }
END

# frames FILE [OPTION...]: prints the program's own frames at a system call.  The caller of the library's function
# is missing, because that function has no frame.
frames() {
	dtrace_run -qn 'syscall::umask:entry /pid == $target/ { ustack(5); }' -c "$@"
	sed -n 's/^ *[a-z]*`\([a-z]*\)+.*/\1/p' "$work/out" | grep -Ev '^(umask|__)' | paste -sd ' '
}

# separate FLAG...: makes a program whose symbols are in a separate file, linked to the program.
separate() {
	gcc -O1 -fno-omit-frame-pointer "$@" -o deep deep.c
	objcopy --only-keep-debug deep deep.debug
	strip deep
	objcopy --add-gnu-debuglink=deep.debug deep
}

separate -g -Wl,--build-id=none
is "$(frames ./deep)" "inner outer main" "from a file beside it, by its name and sum"
mkdir .debug
mv deep.debug .debug
is "$(frames ./deep)" "inner outer main" "from a folder for such files"
dtrace_run -qn 'pid$target:deep:inner:entry { @ = count(); } END { printa("inner %@d\n", @); }' -c ./deep
has "$work/out" '^inner 1$' "a probe on a function of that name"
printf x >>.debug/deep.debug
is "$(frames ./deep)" "" "not from one that has another sum"
rm -r .debug
is "$(frames ./deep)" "" "none without it"

# By build id, as in packages of debug symbols.
separate -Wl,--build-id=0x"$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')"
id=$(readelf -n deep | sed -n 's/.*Build ID: //p')
file=$work/debug/.build-id/${id:0:2}/${id:2}.debug
mkdir -p "$(dirname "$file")"
mv deep.debug "$file"
is "$(frames ./deep -xdebugdir="$work/debug")" "inner outer main" "from a file of debug symbols, by the build id"
gcc -O1 -fno-omit-frame-pointer -Wl,--build-id=sha1 -o other deep.c
objcopy --only-keep-debug other "$file"
is "$(frames ./deep -xdebugdir="$work/debug")" "" "not from one with another id"

# ---- C++

cat >shapes.cc <<'END'
#include <unistd.h>
#include <sys/stat.h>
namespace shapes {
__attribute__((noipa)) int leaf() { return (int)umask(0) + 1; }
struct square {
	template <typename T> __attribute__((noipa)) int area(T side) { return leaf() ? (int)(side * side) : 0; }
};
__attribute__((noipa)) int all(int n) { square s; return s.area(n) + s.area((long)n); }
}
int main() { return shapes::all(2) != 8; }
END
g++ -O1 -fno-omit-frame-pointer -o shapes shapes.cc
dtrace_run -qn 'syscall::umask:entry /pid == $target/ { ustack(5); }' -c ./shapes
has "$work/out" '`int shapes::square::area<int>\(int\)\+0x' "a template"
has "$work/out" '`shapes::all\(int\)\+0x' "a function in a namespace"
dtrace_run -qn 'pid$target:shapes:*square??area*:entry { @[probefunc] = count(); }
	pid$target:shapes:_ZN6shapes3allEi:entry { @[probefunc] = count(); @u[ufunc(uregs[R_PC])] = count(); }
	END { printa("%s %@d\n", @); printa("%A %@d\n", @u); }' -c ./shapes
is "$(grep -c '^_ZN6shapes6square4areaI' "$work/out")" 2 "functions by a pattern of the names in the source"
has "$work/out" '^_ZN6shapes3allEi 1$' "a function by the name of the linker"
has "$work/out" '^shapes`shapes::all\(int\) 1$' "ufunc()"

done_testing
