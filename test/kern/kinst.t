#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# kinst.t: instructions of kernel functions: one, all of a function, instructions of modules; registers, stacks, and
# refusals.
#
# guests: 6.12
. "${0%/*}/lib.sh"

if ! may_probe_functions; then
	dtrace_run -ln kinst::vfs_read:0
	has "$work/err" 'this kernel refuses probes of its instructions; use' "a kernel that refuses kprobes"
	done_testing
fi
[ -e /proc/kcore ] || skip_all "the kernel shows nobody its code"
mkdir "$work/debug"
mount -t debugfs none "$work/debug"
trap 'umount "$work/debug"; cleanup' EXIT

# in_kernel: prints the number of kprobes.
in_kernel() {
	wc -l <"$work/debug/kprobes/list"
}

# insns FUNCTION: prints the offsets of its instructions.
insns() {
	dtrace_run -ln "kinst::$1:"
	awk -v func="$1" '$4 == func { print $5 }' "$work/out"
}

# Listing.
dtrace_run -lP kinst
is "$(cat "$work/out")" "" "no probes without a function"
has "$work/err" 'kinst::FUNCTION:OFFSET' "... but how to name them"
insns vfs_read >"$work/vfs_read"
is "$(head -n 1 "$work/vfs_read")" 0 "the first instruction of a function"
between "$(wc -l <"$work/vfs_read")" 50 500 "... and all"
dtrace_run -ln 'kinst::vfs_read:[0-9]'
is "$(awk 'NR > 1 { print $5 }' "$work/out" | paste -sd ' ')" \
	"$(grep -x '[0-9]' "$work/vfs_read" | paste -sd ' ')" "a pattern of offsets"

# An instruction of more than one byte; the kernel cannot unwind from others.
middle=$(awk 'NR > 1 && $1 - last > 1 { print last } { last = $1 }' "$work/vfs_read" | sed -n 6p)

# 5 reads that fail at once, because no file is open, and 8 that succeed.
cat >"$work/script" <<'EOF'
for i in 1 2 3 4 5; do dd bs=7 count=1 status=none 0<&-; done 2>/dev/null
for i in 1 2 3 4 5 6 7 8; do dd bs=7 count=1 status=none </dev/zero >/dev/null; done
EOF
dtrace_run -qc "/bin/sh $work/script" -n '
	kinst::ksys_read:0 /progenyof($target) && regs[R_RDX] == 7/ { self->in = 1; }
	kinst::ksys_read: /self->in/ { @[probename] = count(); }
	syscall::read:return { self->in = 0; }'
ok "all instructions: no trouble" dtrace_is_quiet
is "$(awk '$1 == "0" { print $2 }' "$work/out")" 13 "the first runs as often as there are reads"
is "$(awk 'NF { print $2 }' "$work/out" | sort -nu | paste -sd ' ')" "5 8 13" \
	"all others as often as there are reads of each kind"

# Two instructions, by stack.
reads="dd if=/dev/zero of=/dev/null bs=7 count=40 status=none"
dtrace_run -qc "$reads" -n "
	kinst::ksys_read:0 /pid == \$target && regs[R_RDX] == 7/ { self->in = 1; @[stack(), probename] = count(); }
	kinst::vfs_read:$middle /self->in/ { @[stack(), probename] = count(); }
	syscall::read:return { self->in = 0; }"
has "$work/out" "^ +$middle +40\$|^ +40\$" "counts by stack"
is "$(grep -A1 -E "\`vfs_read\+0x$(printf %x "$middle")\$" "$work/out" | tail -n 1 | sed 's/.*`//; s/+.*//')" \
	ksys_read "a stack begins at the instruction, and has its caller"

# Registers, and the caller.
dtrace_run -qc "$reads" -n "
	kinst::vfs_read:0 /pid == \$target && regs[R_RDX] == 7/
	{ self->in = 1; this->i = R_RDX; @bytes = sum(regs[R_RDX]); @by_variable = sum(regs[this->i]); }
	kinst::vfs_read:$middle /self->in/
	{
		this->pc = R_PC;
		@at[regs[R_PC] - (uint64_t)&\`vfs_read, regs[this->pc] - regs[R_PC]] = count();
		@user = sum(uregs[R_RDX]);
		@callers[func(caller)] = count();
	}
	syscall::read:return { self->in = 0; }
	END { printa(\"bytes %@d %@d %@d\n\", @bytes, @by_variable, @user); printa(\"at %d %d %@d\n\", @at);
		printa(\"caller %a %@d\n\", @callers); }"
has "$work/out" '^bytes 280 280 280$' "registers of the kernel, and of the process"
has "$work/out" "^at $middle 0 40\$" "the address"
has "$work/out" '^caller .*`ksys_read.* 40$' "caller"

# The kernel rejects some places of a function with a tracepoint, which it changes itself.  Four programs are run.
insns __set_task_comm >"$work/comm"
printf '%s\n' "wc -l <$work/debug/kprobes/list" /bin/true /bin/true /bin/true : >"$work/script"
dtrace_run -qc "/bin/sh $work/script" -n 'kinst::__set_task_comm: /progenyof($target)/ { @[probename] = count(); }'
is $status 0 "a function with places that the kernel does not take"
between "$(awk 'NR == 1' "$work/out")" 20 "$(($(wc -l <"$work/comm") - 1))" "... has no probes there"
is "$(awk 'NF == 2 && $1 == "0" { print $2 }' "$work/out")" 4 "... and all others"

# Modules.
modprobe bridge 2>/dev/null
dtrace_run -qc "ip link add kinst0 type bridge" -n 'kinst:bridge:br_dev_setup:0, kinst::br_dev_setup:0 { @[probemod] = count(); }'
has "$work/out" '^ *bridge +2$' "a function of a module"
ip link del kinst0

# refused DESCRIPTION MESSAGE
refused() {
	dtrace_run -qn "kinst::vfs_read:0, kinst:$1 { trace(1); } BEGIN { exit(0); }"
	is "$status $(grep -Ec -- "$2" "$work/err")" "1 1" "kinst:$1: $2" || note_file err "$work/err"
	is "$(in_kernel)" 0 "... and nothing is traced"
}
is "$(in_kernel)" 0 "nothing is left behind"
inside=$(awk 'NR > 1 && $1 - last > 1 { print last + 1; exit } { last = $1 }' "$work/vfs_read")
refused ":vfs_read:$inside" "offset $inside of function vfs_read is not the start of an instruction"
refused ":vfs_read:1000000" "offset 1000000 is outside of function vfs_read, which has [0-9]* bytes"
refused ":vfs_read:entry" "entry: the name of a kinst probe must be the offset of an instruction, in decimal"
refused ":vfs_raed:0" "no function vfs_raed in the kernel; finding inlined ones needs debug information, which is not installed"
refused "bridge:vfs_read:0" "no function vfs_read in bridge"
refused ":do_int3:0" "do_int3:0: the kernel allows no probe there"
refused ":tcp_ack:" "[0-9]* probes are too many: this kernel attaches them one by one, at most 512"
func=$(awk '$2 ~ /[tT]/ { n[$3]++ } END { for (f in n) if (n[f] > 2) { print f; exit } }' /proc/kallsyms)
refused ":$func:0" "[0-9]* functions have the name $func"

done_testing
