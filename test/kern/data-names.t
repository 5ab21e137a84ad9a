#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# data-names.t: addresses of variables have names (usym, uaddr, umod), and keys of several processes with equal
# names are one.
# rows: usym uaddr umod
#
# guests: none
. "${0%/*}/lib.sh"

compiler_here "names of data" || done_testing

cat >"$work/lib.c" <<'END'
int of_library = 3;
int *address(void) { return &of_library; }
END
cat >"$work/data.c" <<'END'
#include <stdlib.h>
extern int *address(void);
int counter = 5;
static int hidden[100];
const int fixed[4] = {1};
int zeroed[10];
__attribute__((noipa)) void touch(const volatile void *p) { __asm__ volatile("" : : "r"(p)); }
int main(void)
{
	int on_stack = 0;

	touch(&counter);
	touch(&hidden[3]);
	touch(&fixed[1]);
	touch(&zeroed[9]);
	touch(address());
	touch(&on_stack);
	touch(malloc(1));
	touch((void *)8);
	return 0;
}
END
cd "$work" || exit 1
gcc -shared -fPIC -o liblib.so lib.c
shape() {
	gcc -O1 "$@" -o data
}
wanted="data\`counter data\`counter data
data\`hidden data\`hidden+0xc data
data\`fixed data\`fixed+0x4 data
data\`zeroed data\`zeroed+0x24 data
liblib.so\`of_library liblib.so\`of_library liblib.so"
names() {
	dtrace_run -qn 'pid$target:a.out:touch:entry { usym(arg0); trace(" "); uaddr(arg0); trace(" "); umod(arg0); trace("\n"); }' -c ./data
	awk 'NF { print $1, $2, $3 }' "$work/out"
}
type -P ld.lld >/dev/null && lld="-fuse-ld=lld"
for flags in "-pie" "-no-pie" "-pie -Wl,-z,noseparate-code" "-no-pie -Wl,-z,noseparate-code" "-pie -Wl,-z,norelro" ${lld:+"$lld"}; do
	# shellcheck disable=SC2086
	shape $flags data.c -L. -llib -Wl,-rpath,"$work"
	names >names
	is "$(head -n 5 names)" "$wanted" "$flags: names of variables"
	is "$(sed -n '6,8p' names | grep -c '`')" 0 "$flags: neither the stack nor the heap has names"
done
shape -static data.c lib.c
is "$(names | head -n 4)" "$(head -n 4 <<<"$wanted")" "-static: names of variables"
# The symbols are in a separate file, named by the program.
shape -g data.c -L. -llib -Wl,-rpath,"$work"
objcopy --only-keep-debug data data.debug
strip --strip-all data
objcopy --add-gnu-debuglink=data.debug data
is "$(names | head -n 5)" "$wanted" "names in a separate file"

# ---- keys of several processes

shape data.c -L. -llib -Wl,-rpath,"$work"
mkdir other
cp data other
printf '#!/bin/sh\n./data; ./data; other/data\n' >several
chmod +x several
dtrace_run -qn 'syscall::exit_group:entry /progenyof($target) && execname == "data"/ { @sym[usym(uregs[R_PC])] = count();
		@addr[uaddr(uregs[R_PC])] = count(); @mod[umod(uregs[R_PC])] = count(); }
	END { printa("sym %A %@d\n", @sym); printa("addr %A %@d\n", @addr); printa("mod %A %@d\n", @mod); }' -c ./several
is "$(grep -v '^$' out | sed 's/+0x[0-9a-f]*//; s/`[A-Za-z_]*exit /`exit /I')" "sym libc.so.6\`exit 3
addr libc.so.6\`exit 3
mod libc.so.6 3" "equal names of three processes are one key"
dtrace_run -x noresolve -qn 'syscall::exit_group:entry /progenyof($target) && execname == "data"/ { @[usym(uregs[R_PC])] = count(); }
	END { printa("%A %@d\n", @); }' -c ./several
is "$(grep -c '^libc.so.6:0x' out)" 3 "addresses without names belong to a process"

done_testing
