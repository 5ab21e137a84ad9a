#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fbt.t: functions of the kernel: one function by name, patterns, renamed functions, functions with arguments on the
# stack, modules, all functions.
#
# guests: 6.12
# alone: all functions of the kernel are traced
. "${0%/*}/lib.sh"

may_probe_functions || skip_all "the kernel lets nobody probe its functions"
tracefs=/sys/kernel/tracing
has_multi() { grep -qw register_fprobe /proc/kallsyms; }

# 500 reads of a byte; the loader's reads are longer.
reads="dd if=/dev/zero of=/dev/null bs=1 count=500 status=none"
for func in vfs_read 'vfs_rea[d]'; do
	dtrace_run -qc "$reads" -n "
		fbt::$func:entry /pid == \$target && arg2 == 1/ { @in[probefunc, args[2]] = count(); self->in = 1; }
		fbt::$func:return /self->in/ { @out[probefunc] = sum(args[1]); @raw = sum(arg1); self->in = 0; }
		END { printa(\"%s %u %@u\n\", @in); printa(\"%s %@u\n\", @out); printa(\"%@u\n\", @raw); }"
	ok "$func: no trouble" dtrace_is_quiet
	is "$(tr -s '\n' ' ' <"$work/out")" "vfs_read 1 500 vfs_read 500 500 " "$func: calls, arguments, results"
done

# Data that the arguments point to.
echo text >"$work/file"
for func in vfs_read 'vfs_rea[d]'; do
	dtrace_run -qc "dd if=$work/file of=/dev/null status=none" -n "fbt::$func:entry /pid == \$target && args[0]->f_path.dentry->d_name.len == 4/
		{ trace(stringof(args[0]->f_path.dentry->d_name.name)); exit(0); }"
	has "$work/out" '^file$' "$func: a name behind a pointer"
	dtrace_run -qc "dd if=$work/file of=/dev/null status=none" -n "fbt::$func:entry, fbt::$func:return /pid == \$target/
		{ printf(\"%s %a%d\", probename, caller, stackdepth); stack(1); }"
	is "$(grep -c ksys_read "$work/out")" "$((2 * $(grep -cE '^(entry|return)' "$work/out")))" \
		"$func: caller and stack() are the same"
done

# Integers of argN have the size and sign of the parameter, each function of a pattern its own.
for func in do_sys_openat2 'do_sys_openat[2]' 'do_sys_open*'; do
	dtrace_run -qc "cat /etc/hosts /nonexistent" -n "fbt::$func:entry /pid == \$target && probefunc == \"do_sys_openat2\"/
			{ @in[arg0, arg1 > 0x100000000] = count(); }
		fbt::$func:return /pid == \$target && probefunc == \"do_sys_openat2\"/ { @out[arg1 == -2, arg1 < 0 || arg1 < 100] = count(); }
		END { printa(\"in %d %d\n\", @in); printa(\"out %d %d\n\", @out); }"
	is "$(grep '^in' "$work/out")" "in -100 1" "$func: arg0 is AT_FDCWD"
	is "$(grep '^out' "$work/out" | sort)" $'out 0 1\nout 1 1' "$func: arg1 is an error or a descriptor"
done

# A record takes a spin lock itself.  Firings inside are lost and counted, and do no harm.
for lock in '' irqsave; do
	dtrace_run -qc "dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none" -n "
		fbt::_raw_spin_lock${lock:+_}$lock:entry, fbt::_raw_spin_unlock${lock:+_irqrestore}:entry { printf(\"lock\\n\"); @ = count(); }
		syscall::read:entry /pid == \$target/ { printf(\"read\\n\"); @reads = count(); }
		END { printa(\"reads %@d\n\", @reads); printa(\"locks %@d\n\", @); }"
	is $status 0 "records at spin locks${lock:+ $lock}: status"
	between "$(value reads)" 2000 2010 "records at spin locks${lock:+ $lock}: the system calls"
	positive "$(value locks)" "records at spin locks${lock:+ $lock}: these"
done

# Several functions in one program, distinguished.
dtrace_run -qc "$reads" -n 'fbt::vfs_read:entry, fbt::vfs_[w]rite:entry, fbt::ksys_[rw]*:entry
	/pid == $target && arg2 == 1/ { @[probefunc] = count(); }'
for func in vfs_read vfs_write ksys_read ksys_write; do
	has "$work/out" "^ *$func +500\$" "several: $func"
done

# An argument on the stack: the page offset of mmap(2).
case $(uname -r) in
6.1.*) pgoff=5 ;;
*) pgoff=6 ;;
esac
echo "cat $work/file" >"$work/script"
dtrace_run -qc "/bin/sh $work/script" -n "
	syscall::mmap:entry /progenyof(\$target)/ { @want = sum(arg5 >> 12); self->in = 1; }
	fbt::do_mmap:entry /self->in/ { @have = sum(args[$pgoff]); @raw = sum(arg$pgoff); }
	syscall::mmap:return { self->in = 0; }
	END { printa(\"%@d %@d %@d\n\", @want, @have, @raw); }"
is "$(awk 'NF == 3 && $1 > 0 && $1 == $2 && $1 == $3 { print "same" }' "$work/out")" same \
	"do_mmap: an argument behind those in registers"

# A function that the compiler renamed has no types, but a name.
func=$(sed -n 's/^\([a-z_0-9]*\.isra\.0\).*/\1/p' $tracefs/available_filter_functions | sort | uniq -u | head -n 1)
dtrace_run -lvn "fbt::$func:entry"
has "$work/out" " fbt +vmlinux +$func entry\$" "$func is listed"
dtrace_run -qn "fbt::$func:entry { trace(arg0); } BEGIN { exit(0); }"
is $status 0 "... and traced"
if has_multi; then
	dtrace_run -qn 'fbt::*.isra.0:entry, fbt::*.constprop.0:entry { @ = count(); } tick-1s { exit(0); }'
	is $status 0 "all that were renamed"
fi

# Modules.  The bridge module makes interfaces of type bridge.
ip link add fbt0 type bridge && ip link del fbt0
dtrace_run -qc "ip link add fbt0 type bridge" -n 'fbt:bridge:br_*:entry { @[probemod] = count(); }'
has "$work/out" '^ *bridge +[1-9]' "functions of a module"
ip link del fbt0
dtrace_run -ln 'fbt:bridge:vfs_read:entry'
has "$work/err" 'No probe matches' "... which has no others"

# A probe id names the same probe in a run of its own.
dtrace_run -ln 'fbt::vfs_read:return'
dtrace_run -li "$(awk '$NF == "return" { print $1 }' "$work/out")"
has "$work/out" ' vfs_read return$' "-i"

# All functions, under load; firings inside the program itself are missed and counted.
if has_multi; then
	dtrace_run -qc "$reads" -n 'fbt:::entry { @[probefunc] = count(); }'
	is $status 0 "all functions"
	between "$(awk '$1 == "vfs_read" { print $2 }' "$work/out")" 1 100000 "... vfs_read among them"
	between "$(wc -l <"$work/out")" 200 100000 "... and many more"
	has "$work/err" 'nested firings missed at \*:entry' "... with what was missed"
else
	dtrace_run -qn 'fbt:::entry { @[probefunc] = count(); }'
	is $status 1 "all functions, of a kernel that takes them one by one"
	has "$work/err" '[0-9]* probes are too many: this kernel attaches them one by one' "... says so"
	is "$(cat $tracefs/kprobe_events)" "" "... and leaves nothing behind"
fi
is "$(cat $tracefs/enabled_functions | wc -l)" 0 "nothing is left behind"

# Completion lists the functions in BTF: nearly all that can be traced, in a fraction of the time.
dtrace_run --complete n fbt:vmlinux:vfs_rea
grep -q '^fbt:vmlinux:vfs_read:$' "$work/out"
ok "functions can be completed" test $? = 0
is "$(grep -vc '^fbt:vmlinux:vfs_rea.*:$' "$work/out")" 0 "and only those that begin so"
dtrace_run --complete n fbt:vmlin
is "$(cat "$work/out")" fbt:vmlinux: "so can modules"

done_testing
