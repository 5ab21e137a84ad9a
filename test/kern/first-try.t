#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# first-try.t: the kernel accepts the first program of each probe, also with stacks, or the other form that its provider has.
# The programs that dtrace tries after that do less: they walk no user stacks and are slower.
. "${0%/*}/lib.sh"

# refused PROGRAM: prints the places whose first program the kernel refuses.
refused() {
	timeout $((SLOWER * 30)) "$dtrace" -x bpflog -qn "$1 BEGIN { exit(0); }" >"$work/log" 2>&1
	grep -c 'verification time\|^processed ' "$work/log" >>"$work/tried"
	sed -n 's/: refused: .*//p' "$work/log" | sort -u | xargs
}

providers='tcp dtmalloc'
fast_here "programs of other providers" && providers+=' ip udp udplite mib proc sched io vminfo sysinfo lockstat sdt fsinfo'
for provider in $providers; do
	is "$(refused "$provider::: { @[ustack(), stack()] = count(); }")" "" "programs of $provider that are refused at first"
done
positive "$(awk '{ n += $1 } END { print n }' "$work/tried")" "programs were verified"

# Pointers to no structure, in expressions that the verifier refuses for pointers.
while read -r expression; do
	is "$(refused "rawtp:::sched_switch /pid == $$/ { @[$expression] = count(); }")" "" "an accepted program: $expression"
done <<'END'
(uint64_t)curthread->stack + (uint64_t)curthread->security
(uint64_t)curthread->stack - (uint64_t)curthread->security
((uint64_t)curthread->stack ^ (uint64_t)curthread->security) & 0xfff
-(int64_t)curthread->stack
(uint32_t)curthread->stack
(uint64_t)curthread->stack % 4096
(pid == 1 ? (uint64_t)curthread->stack : 7) * (uint64_t)curthread->stack
strlen((string)curthread->nsproxy->uts_ns->name.nodename)
stringof(curthread->fs->pwd.dentry->d_sb->s_type->name)
func((uintptr_t)curthread->sched_class)
ip6_behind(curthread->stack)
htonll((uint64_t)curthread->stack)
*(int *)curthread->stack
curthread->mm == NULL ? 0 : (uint64_t)curthread->mm->pgd / 4096
END

done_testing
