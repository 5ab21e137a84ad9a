#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# calls.py FOLDER: compares the system calls of dtrace in FOLDER/out with those of strace in FOLDER/strace, for each thread in order.
#
# Prints rows for report_table.  A thread's first call is the one that strace sees first, because dtrace also sees what strace
# itself does in the new process before it runs the program.
import collections
import re
import sys

# Calls that return to another place, or do not return; strace shows what rt_sigreturn() finds in the saved registers.
WITHOUT_RESULT = {"exit", "exit_group", "rt_sigreturn"}
# A call that a signal interrupts ends with EINTR for the program; strace shows the kernel's own numbers.
RESTARTS = {"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ERESTART_RESTARTBLOCK"}
EINTR = 4
OTHER_NAMES = {"stat": "newstat", "fstat": "newfstat", "lstat": "newlstat", "uname": "newuname", "sendfile": "sendfile64",
               "umount2": "umount"}
SIGNED = {"int", "pid_t", "clockid_t", "timer_t", "mqd_t", "key_t", "key_serial_t", "rwf_t", "__s32"}
UNSIGNED = {"unsigned int": 32, "unsigned": 32, "u32": 32, "__u32": 32, "uid_t": 32, "gid_t": 32, "qid_t": 32,
            "enum landlock_rule_type": 32, "umode_t": 16}


def errno_of(name):
    import errno
    return EINTR if name in RESTARTS else getattr(errno, name)


def read_strace(path):
    """The calls of each thread: [name, arguments, result, errno]; the last two are None while they are unknown."""
    threads = collections.defaultdict(list)
    with open(path, errors="replace") as f:
        for line in f:
            tid, text = line.split(None, 1)
            match = re.match(r"(\w+)\(([^)]*?)(?: <unfinished \.\.\.>)?(?:\)\s+= (.*))?$", text)
            if match:
                args = [int(a, 0) for a in match[2].rstrip(", ").split(", ") if a]
                threads[tid].append([match[1], args, None, None])
                result = match[3]
            else:
                match = re.match(r"<\.\.\. (\w+) resumed>.*\)\s+= (.*)$", text)
                if not match:
                    continue
                result = match[2]
            if result:
                threads[tid][-1][2:] = result_of(result)
    return threads


def result_of(text):
    match = re.match(r"(\S+)(?: (E\w+))?", text)
    if match[2]:
        return [(1 << 64) - 1, errno_of(match[2])]
    if match[1] == "?":
        return [None, None]
    return [int(match[1], 0) & (1 << 64) - 1, 0]


def read_dtrace(path):
    threads = collections.defaultdict(list)
    with open(path) as f:
        for line in f:
            words = line.split()
            if words[:1] == ["E"]:
                threads[words[1]].append([words[2], [int(a, 16) for a in words[3:]], None, None])
            elif words[:1] == ["R"] and threads[words[1]]:
                call = threads[words[1]][-1]
                if call[0] == words[2]:
                    call[2:] = [int(words[3], 16), int(words[4])]
                else:
                    print("differs", "return-without-entry", f"{words[1]}:{words[2]}", words[3], call[0])
    return threads


def read_types(call):
    """The types of a call's parameters, as the kernel's tracepoint declares them."""
    path = f"/sys/kernel/tracing/events/syscalls/sys_enter_{OTHER_NAMES.get(call, call)}/format"
    try:
        with open(path) as f:
            fields = re.findall(r"field:(?!.*(?:common_|__syscall_nr))(.*?)\w+;", f.read())
    except OSError:
        return []
    return [" ".join(field.replace("const ", "").split()) for field in fields]


def as_type(arg, text):
    """The argument as its type has it: programs leave the upper half of a register undefined."""
    if text in SIGNED:
        arg &= (1 << 32) - 1
        return arg | (1 << 64) - (1 << 32) if arg >> 31 else arg
    return arg & (1 << UNSIGNED.get(text, 64)) - 1


def row(name, where, got, want):
    # A result of strace can be missing: the thread was killed, or the call does not return.
    if want is not None:
        print("same" if got == want else "differs", name, where, *("-" if x is None else x for x in (got, want)))


def main():
    want, got = read_strace(sys.argv[1] + "/strace"), read_dtrace(sys.argv[1] + "/out")
    first = min(want, key=int)
    calls = got[first]
    while calls and calls[0][0] != "execve":
        calls.pop(0)
    types = {}
    for tid, calls in want.items():
        row("calls-of-thread", tid, len(got[tid]), len(calls))
        for n, (call, other) in enumerate(zip(got[tid], calls)):
            where = f"{tid}:{n}:{other[0]}"
            row("name", where, call[0], other[0])
            if call[0] != other[0]:
                break
            for i, arg in enumerate(other[1]):
                if other[0] not in types:
                    types[other[0]] = read_types(other[0])
                row(f"arg{i}", where, call[1][i], as_type(arg, types[other[0]][i] if i < len(types[other[0]]) else ""))
            if other[0] not in WITHOUT_RESULT:
                row("result", where, call[2], other[2])
                row("errno", where, call[3], other[3])


main()
