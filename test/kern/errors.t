#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# errors.t: bad input gives a message with the place and the cause, and the documented status, and leaves no BPF
# program.
#
# guests: none
. "${0%/*}/lib.sh"

refused() { # NAME STATUS PATTERN ARGS...
	local name=$1 want=$2 pattern=$3
	shift 3
	dtrace_run "$@"
	is $status "$want" "$name: status $want"
	has "$work/err" "$pattern" "$name: the message"
}

refused "a syntax error" 1 'syntax error near' -n 'BEGIN { x = ; }'
has "$work/err" '^ +1 \| BEGIN \{ x = ; \}$' "a syntax error: the line"
has "$work/err" '^ +\| +\^$' "a syntax error: the column"
printf 'BEGIN\n{\n\ttrace(curthread->nonesuch);\n}\n' >"$work/member.d"
refused "an unknown member" 1 "member\.d: line 3: .*nonesuch" -s "$work/member.d"
refused "an unknown probe" 1 'nonesuch:::probe does not match any probes' -n 'nonesuch:::probe'
refused "a type error" 1 '\[D_OP_ARITH\]' -x errtags -n 'BEGIN { x = "text" * 2; }'
refused "a string without room" 1 strsize -x strsize=0 -n BEGIN
refused "a bad option" 1 'strsize' -x strsize=huge -n BEGIN
refused "an unknown switch" 2 'Usage:' -y
refused "a process that does not exist" 1 'failed to grab pid 4194303' -p 4194303 -n BEGIN
refused "a command that does not exist" 1 'nonesuch' -c /nonesuch -n BEGIN
refused "a script that does not exist" 1 'nonesuch\.d' -s /nonesuch.d
refused "a destructive action without -w" 1 'Destructive actions not allowed' \
	-n 'BEGIN { system("true"); }'

{
	for ((i = 1; i <= 80; i++)); do
		echo "struct s$i { char c[$((i * 8))]; }; struct s$i v$i[int];"
	done
	echo 'BEGIN {'
	for ((i = 1; i <= 80; i++)); do
		echo "v$i[1].c[0] = 'a';"
	done
	echo '}'
} >"$work/large.d"
refused "a clause that needs too many maps" 1 "large\.d: line [0-9]+: failed to enable 'dtrace:BEGIN': " \
	-s "$work/large.d"

# Only a kernel that is locked down refuses this.
printf 'BEGIN\n{\n\tcopyout(alloca(8), 4096, 8);\n\texit(0);\n}\n' >"$work/refused.d"
dtrace_run -w -s "$work/refused.d"
if lockdown_is none; then
	skip "the message for a program that the kernel refuses" "the kernel is not locked down"
else
	is $status 1 "a program that the kernel refuses"
	has "$work/err" "refused\.d: line [0-9]+: failed to enable 'dtrace:BEGIN': this kernel allows no" \
		"a program that the kernel refuses: the message"
fi

as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$dtrace" "$@"
}
as_nobody -n BEGIN >"$work/out" 2>"$work/err" </dev/null
is $? 1 "no root: status 1"
has "$work/err" 'DTrace requires additional privileges; run as root, or with CAP_BPF and CAP_PERFMON$' \
	"no root: the message"
as_nobody -ln 'syscall::write:entry' >"$work/out" 2>"$work/err" </dev/null
has "$work/out" ' write entry' "no root: probes are listed"

# with_caps CAPABILITIES ARGUMENT...: runs as another user with these capabilities.
with_caps() {
	local caps=$1
	shift
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="$caps" --ambient-caps="$caps" \
		"$work/dtrace" "$@" >"$work/out" 2>"$work/err" </dev/null
}
chmod 711 "$work"
cp "$dtrace" "$work/dtrace"
with_caps +bpf -n BEGIN
has "$work/err" '; run as root, or with CAP_PERFMON$' "what is missing"
with_caps +bpf,+perfmon -qn 'syscall::write:entry { @ = count(); } profile-99 { @p = count(); } rawtp:::sched_switch { @r = count(); }
	tick-100ms { exit(0); }'
is $? 0 "the two capabilities are enough for most providers" || note_file errors "$work/err"
with_caps +bpf,+perfmon -n 'tcp::: { } BEGIN { exit(0); }'
has "$work/err" 'this needs the capability CAP_NET_ADMIN' "what hooks of cgroups need"
with_caps +bpf,+perfmon,+net_admin -n 'tcp::: { } BEGIN { exit(0); }'
is $? 0 "with it they are there" || note_file errors "$work/err"

# without_btf ARGS...: runs where the kernel's types cannot be read.
without_btf() {
	unshare -m bash -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' - "$dtrace" "$@"
}
without_btf -n 'tcp:::send' >"$work/out" 2>"$work/err" </dev/null
is $? 1 "no BTF: status 1"
is "$(cat "$work/err")" \
	"dtrace: could not read the types of this kernel: /sys/kernel/btf/vmlinux: No such file or directory" \
	"no BTF: the message, and no other"
without_btf -qn 'BEGIN { trace(pid > 0 && tid > 0 && execname == "dtrace"); exit(0); }' >"$work/out" 2>"$work/err" </dev/null
is "$?$(cat "$work/out")" 01 "no BTF: what needs no types works"

# The verifier forbids arithmetic on pointers that it knows.  A store looks its address up.
for text in 'curthread->pid = 1' 'p = &curthread->pid; *p = 1' 'this->p = curthread; *(int *)this->p = 1' \
	'self->p = &curthread->comm[2]; *self->p = 1' 'bcopy(alloca(8), &curthread->comm, 1)'; do
	dtrace_run -qn "BEGIN { $text; } BEGIN { exit(3); } ERROR { printf(\"%d %d\", arg4, arg5 != 0); }"
	is "$status $(head -n 1 "$work/out")" "3 1 1" "a fault with its address: $text"
done
dtrace_run -qn 'BEGIN { this->p = curthread; printf("%d\n", (uintptr_t)this->p % 8); exit(0); }'
is "$(head -n 1 "$work/out")" 0 "arithmetic on a variable that has curthread"

# Options that a program may not set: they write files, or belong to the command.
for name in ctypes dtypes ldpath modpath ctfpath lockmem procfspath; do
	printf '#pragma D option %s=%s\nBEGIN { exit(0); }\n' $name "$work/precious" >"$work/p.d"
	echo precious >"$work/precious"
	dtrace_run -x errtags -s "$work/p.d"
	has "$work/err" '\[D_PRAGMA_OPTSET\]' "#pragma D option $name is refused"
	is "$(cat "$work/precious")" precious "... and its file is as it was"
done
for name in aggsize aggrate switchrate dynvarsize specsize; do
	dtrace_run -qx $name -n 'BEGIN { exit(3); }'
	is $status 3 "-x $name without a value"
done
dtrace_run -n "BEGIN { printf(\"%s\", \"$(head -c 300 /dev/zero | tr '\0' x)\"); nosuch(); }"
is "$(grep -c 'nosuch(); }' "$work/err")" 1 "an error shows the text of -n once"

# The probable intention.
while IFS='|' read -r text meant; do
	dtrace_run -n "$text"
	has "$work/err" "did you mean $meant\\?" "$text: $meant"
done <<'END'
BEGIN { trace(exename); }|execname
BEGIN { self->number = 1; trace(self->nubmer); }|number
BEGIN { trace(curthread->pidd); }|pid
BEGIN { trace(strlenn("x")); }|strlen
tcp:::send { trace(args[2]->ip_sadr); }|ip_saddr
tpc:::send|tcp:::send
tcp:::sned|tcp:::send
sysall::open:entry|syscall::open:entry
BEGN|dtrace:::BEGIN
syscall::opn:entry|syscall::open:entry
syscall::open:entri|syscall::open:entry
rawtp:::net_dev_queu|rawtp:::net_dev_queue
END

# A clause that is left out causes no errors elsewhere.
printf 'tcp:::nosuch { x = 1; self->y = args[0]; @a = count(); }\nBEGIN { trace(x); trace(self->y); printa(@a); }\n' >"$work/p.d"
dtrace_run -s "$work/p.d"
is "$(grep -c '^dtrace:' "$work/err")" 1 "one error for a description that matches nothing"
cat >"$work/p.d" <<'END'
tcp:::nosuch { x = 1; self->y = args[0]; @a = count(); }
BEGIN { trace(x); z[1] = 2; }
BEGIN { trace(self->why); @b = count(); }
BEGIN { trace(z[1]); printa(@b); }
BEGIN { printa(@c); }
inline int n = nothing;
END
dtrace_run -s "$work/p.d"
is "$(grep -c '^dtrace:' "$work/err")" 1 "one error of the declarations"
sed -i /inline/d "$work/p.d"
dtrace_run -s "$work/p.d"
is "$(grep -c '^dtrace:' "$work/err")" 3 "what was not to be defined by what has an error, is an error too"
has "$work/err" 'self->why has not yet' "... a variable"
has "$work/err" 'undefined aggregation: @c' "... an aggregation"
printf 'inline int a = nothing;\ninline int b = a;\ninline int c = b + nought;\ninline int d = c;\n' >"$work/p.d"
dtrace_run -s "$work/p.d"
is "$(grep -c '^dtrace:' "$work/err")" 1 "one error for inlines of an inline with an error"

printf 'inline int B_READ = 77;\nBEGIN { printf("%%d %%d", B_READ, B_WRITE); exit(0); }\n' >"$work/p.d"
dtrace_run -qs "$work/p.d"
is "$(head -n 1 "$work/out")" "77 256" "an inline hides the inline of a library"

# Intervals below 200 us.
for name in profile-5001 tick-199us tick-10000 profile-1us; do
	dtrace_run -e -x errtags -n "$name"
	has "$work/err" '\[D_PDESC_ZERO\]' "no probe $name"
done
dtrace_run -e -n 'tick-200us,profile-5000'
is $status 0 "tick-200us and profile-5000"

# An empty program: the line is the one after the last.
printf '/* nothing */\n\n' >"$work/p.d"
dtrace_run -s "$work/p.d"
has "$work/err" 'line 3: empty D program translation unit' "an empty program"

# The environment can choose the dialect, too; it comes before the command line.
DTRACE_OPT_DIALECT=oracle dtrace_run -x errtags -n 'BEGIN { stack(1, 2); }'
has "$work/err" '\[D_PROTO_LEN\]' "dialect in the environment"
DTRACE_OPT_DIALECT=oracle dtrace_run -x errtags -x dialect=illumos -n 'BEGIN { stack(1, 2); }'
has "$work/err" '\[D_STACK_PROTO\]' "dialect on the command line"

# Without sysfs the number of processors is unknown, and maps need it.
unshare --mount bash -c 'umount -l /sys && "$@"' bash "$dtrace" -n 'BEGIN { exit(0); }' >"$work/out" 2>"$work/err"
is $? 1 "sysfs is not mounted"
has "$work/err" 'could not read /sys/devices/system/cpu/possible: is sysfs mounted' "and that is said"

# An error in a library is reported once, though two clauses use it.
mkdir "$work/wrong"
cat >"$work/wrong/wrong.d" <<'END_D'
typedef struct wrong { int a; } wrong_t;
struct unheard_of;
translator wrong_t < struct unheard_of *R > { a = R->x; };
END_D
dtrace_run -L "$work/wrong" -qn 'BEGIN { trace(xlate <wrong_t> ((struct unheard_of *)0).a); }
	END { trace(xlate <wrong_t> ((struct unheard_of *)0).a); }'
is "$status $(grep -c 'incomplete type' "$work/err")" "1 1" "a mistake in a library, of which two clauses make use"

done_testing
