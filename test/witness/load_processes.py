#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_processes.py FOLDER SEED COUNT: processes, threads, programs and signals in a PID namespace of its own.
#
# Process 1 of the namespace makes COUNT subjects, three at a time.  Each does a random list of the functions named do_*, and
# writes what must be seen to FOLDER/want: "PROBE KEY... NUMBER", with the numbers of processes in the namespace.
# FOLDER/acct has the kernel's accounting of the namespace.  getpriority() marks where counting begins and ends.
import ctypes
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWPID = 0x20000000
PR_SET_PDEATHSIG = 1
PTRACE_TRACEME, PTRACE_CONT = 0, 7
WALL = 0x40000000
SYS_clone = 220 if os.uname().machine == "aarch64" else 56
KINDS = {os.CLD_EXITED: 1, os.CLD_KILLED: 2, os.CLD_DUMPED: 3}
log = None


def want(*words):
    """Writes one line at once, whichever process does it."""
    os.write(log, (" ".join(map(str, words)) + "\n").encode())


def made(child, parent=None):
    parent = parent or os.getpid()
    want("create", parent, 1)
    want("lwp-create", parent, 1)
    for probe in ("start", "lwp-start", "lwp-exit"):
        want(probe, child, 1)


def told(sender, parent):
    """The parent ignores SIGCHLD."""
    want("signal-send", sender, parent, 17, 1)
    want("signal-discard", sender, parent, 17, 1)


def reaped(child, flags=0):
    info = os.waitid(os.P_PID, child, os.WEXITED | flags)
    want("exit", child, KINDS[info.si_code], 1)
    return info


def end(child, parent=None):
    reaped(child)
    told(child, parent or os.getpid())


def fork(what):
    child = os.fork()
    if child == 0:
        try:
            what()
        finally:
            os._exit(os.getpid() % 100)
    made(child)
    return child


def default(sig):
    signal.signal(sig, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [sig])


# ---- subjects

def do_fork(rng):
    for child in [fork(lambda: time.sleep(rng.random() / 50)) for _ in range(rng.randrange(1, 4))]:
        end(child)


def do_spawn(rng):
    """The C library and Python block signals for a moment, and a blocked signal is not discarded: it is always blocked here."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    me = os.getpid()
    if rng.random() < 0.5:
        child = os.posix_spawn("/bin/true", ["true"], {})
    else:
        vforked = subprocess.Popen(["/bin/true"])
        child = vforked.pid
        vforked.returncode = 0
    made(child)
    want("exec-success", child, 1)
    reaped(child)
    want("signal-send", child, me, 17, 1)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def do_clone(rng):
    """A child that ends with another signal than SIGCHLD, or with none."""
    sig = rng.choice([0, 17, 23])
    child = libc.syscall(SYS_clone, sig, 0, 0, 0, 0)
    if child == 0:
        os._exit(4)
    made(child)
    reaped(child, flags=WALL)
    if sig:
        want("signal-send", child, os.getpid(), sig, 1)
        want("signal-discard", child, os.getpid(), sig, 1)


def do_exec(rng):
    def run():
        for path in ["/nonexistent", "/etc/passwd", "/dev/null/x"][:rng.randrange(4)]:
            try:
                os.execv(path, ["x"])
            except OSError as e:
                want("exec-failure", os.getpid(), e.errno, 1)
        want("exec-success", os.getpid(), 1)
        os.execv("/bin/true", ["true"])
    end(fork(run))


def do_thread_exec(rng):
    """A thread that is not the first executes a program, and takes the number of the first."""
    def run():
        me = os.getpid()
        want("lwp-create", me, 1)
        want("lwp-start", me, 1)
        want("lwp-exit", me, 1)
        want("exec-success", me, 1)
        threading.Thread(target=lambda: os.execv("/bin/true", ["true"])).start()
        time.sleep(10)
    end(fork(run))


def do_threads(rng):
    def run():
        n = rng.randrange(1, 6)
        threads = [threading.Thread(target=time.sleep, args=(rng.random() / 30,), daemon=True) for _ in range(n)]
        for thread in threads:
            thread.start()
        for thread in threads[rng.randrange(n):]:
            thread.join()
        for probe in ("lwp-create", "lwp-start", "lwp-exit"):
            want(probe, os.getpid(), n)
    end(fork(run))


def do_orphan(rng):
    def inner(parent):
        while os.getppid() == parent:
            time.sleep(0.001)

    def run():
        me = os.getpid()
        orphan = os.fork()
        if orphan == 0:
            inner(me)
            os._exit(0)
        made(orphan)
        want("exit", orphan, 1, 1)
        told(orphan, 1)
    end(fork(run))


def do_handled(rng):
    n = rng.randrange(1, 5)

    def run():
        me = os.getpid()
        signal.signal(signal.SIGUSR1, lambda *a: None)
        for _ in range(n):
            way = rng.randrange(3)
            if way == 0:
                os.kill(me, signal.SIGUSR1)
            elif way == 1:
                signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
            else:
                libc.sigqueue(me, int(signal.SIGUSR1), ctypes.c_void_p(7))
        want("signal-send", me, me, 10, n)
        want("signal-handle", me, 10, n)
    end(fork(run))


def do_waited(rng):
    sig, n = signal.SIGRTMIN + rng.randrange(1, 20), rng.randrange(1, 6)
    signal.pthread_sigmask(signal.SIG_BLOCK, [sig])

    def run():
        for _ in range(n):
            signal.sigtimedwait([sig], 10)
        want("signal-clear", os.getpid(), sig, n)
    child = fork(run)
    for _ in range(n):
        os.kill(child, sig)
    want("signal-send", os.getpid(), child, sig, n)
    end(child)


def do_killed(rng):
    sig = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR2])
    child = fork(lambda: time.sleep(10))
    os.kill(child, sig)
    want("signal-send", os.getpid(), child, int(sig), 1)
    end(child)


def do_crash(rng):
    sig = rng.choice([signal.SIGSEGV, signal.SIGPIPE, signal.SIGABRT, signal.SIGXFSZ])

    def run():
        default(sig)
        want("signal-send", os.getpid(), os.getpid(), int(sig), 1)
        if sig == signal.SIGSEGV:
            want("fault", os.getpid(), 1)
            ctypes.string_at(8)
        elif sig == signal.SIGPIPE:
            reader, writer = os.pipe()
            os.close(reader)
            os.write(writer, b"x")
        elif sig == signal.SIGXFSZ:
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
            os.pwrite(os.memfd_create("x"), b"x", 20)
            os.truncate(os.environ["WITNESS"] + "/big", 20)
        else:
            os.abort()
    end(fork(run))


def do_timer(rng):
    """The kernel sends the signal, from an interrupt."""
    def run():
        seen = []
        signal.signal(signal.SIGALRM, lambda *a: seen.append(a))
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        while not seen:
            time.sleep(0.001)
        want("signal-send", 0, os.getpid(), 14, 1)
        want("signal-handle", os.getpid(), 14, 1)
    end(fork(run))


def do_stop(rng):
    """The child ends by itself: a signal that kills would prevent that it tells its parent that it continues."""
    me = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCONT])
    child = fork(lambda: signal.sigtimedwait([signal.SIGCONT], 10))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCONT])
    os.kill(child, signal.SIGSTOP)
    os.waitpid(child, os.WUNTRACED)
    os.kill(child, signal.SIGCONT)
    want("signal-send", me, child, 19, 1)
    want("signal-send", me, child, 18, 1)
    want("signal-clear", child, 18, 1)
    told(child, me)
    told(child, me)
    end(child)


def do_group(rng):
    me = os.getpid()
    children = [fork(lambda: time.sleep(10)) for _ in range(rng.randrange(2, 5))]
    for child in children:
        os.setpgid(child, children[0])
    os.killpg(children[0], signal.SIGTERM)
    for child in children:
        want("signal-send", me, child, 15, 1)
        end(child)


def do_parent_dies(rng):
    def inner(writer):
        libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
        os.write(writer, b"x")
        time.sleep(10)

    def run():
        reader, writer = os.pipe()
        child = fork(lambda: inner(writer))
        os.read(reader, 1)
        want("signal-send", os.getpid(), child, 15, 1)
        want("exit", child, 2, 1)
        told(child, 1)
    end(fork(run))


def do_ptrace(rng):
    me = os.getpid()

    def run():
        libc.ptrace(PTRACE_TRACEME, 0, None, None)
        os.kill(os.getpid(), signal.SIGUSR1)
        os.execv("/bin/true", ["true"])
    child = fork(run)
    for sig in (10, 5):
        os.waitpid(child, 0)
        want("signal-send", child, child, sig, 1)
        told(child, me)
        libc.ptrace(PTRACE_CONT, child, None, None)
    want("exec-success", child, 1)
    end(child)


def counts_of_thread():
    with open("/proc/thread-self/schedstat") as f:
        runs = int(f.read().split()[2])
    usage = resource.getrusage(resource.RUSAGE_THREAD)
    return usage.ru_nvcsw, usage.ru_nivcsw, runs


def getpriority(which):
    libc.getpriority(0, 1000000 + which)


def mark(which):
    """Marks a moment with which the counts of the thread belong, because they are the same before and after."""
    while True:
        before = counts_of_thread()
        getpriority(which)
        if counts_of_thread() == before:
            return before


def do_switches(rng):
    def run():
        before = mark(1)
        for _ in range(rng.randrange(5, 60)):
            if rng.random() < 0.4:
                time.sleep(rng.random() / 2000)
            elif rng.random() < 0.5:
                os.sched_yield()
            else:
                sum(range(rng.randrange(20000)))
        after = mark(2)
        for name, a, b in zip(("sleep", "preempt", "on-cpu"), before, after):
            want(name, os.getpid(), b - a)
        want("off-cpu", os.getpid(), after[0] + after[1] - before[0] - before[1])
    for child in [fork(run) for _ in range(3)]:
        end(child)


def conduct(folder, seed, count):
    global log
    log = os.open(folder + "/want", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.environ["WITNESS"] = folder
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in ("acct", "big"):
        open(f"{folder}/{name}", "w").close()
    if libc.acct(f"{folder}/acct".encode()) != 0:
        raise SystemExit("acct: " + os.strerror(ctypes.get_errno()))
    things = [f for name, f in sorted(globals().items()) if name.startswith("do_")]
    rng = random.Random(seed)
    getpriority(3)
    while count > 0:
        subjects = []
        for _ in range(min(3, count)):
            chosen, own = [rng.choice(things) for _ in range(3)], random.Random(rng.random())
            subjects.append(fork(lambda: [thing(own) for thing in chosen]))
            count -= 1
        # Orphans end here, too; their subject has written what to expect.
        while subjects:
            info = os.waitid(os.P_ALL, 0, os.WEXITED)
            if info.si_pid in subjects:
                subjects.remove(info.si_pid)
                want("exit", info.si_pid, KINDS[info.si_code], 1)
                told(info.si_pid, 1)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        getpriority(4)
    libc.acct(None)


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if libc.unshare(CLONE_NEWPID) != 0:
        raise SystemExit("unshare: " + os.strerror(ctypes.get_errno()))
    first = os.fork()
    if first == 0:
        try:
            conduct(folder, seed, count)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    for _ in range(6000):
        pid, status = os.waitpid(first, os.WNOHANG)
        if pid:
            sys.exit(os.waitstatus_to_exitcode(status))
        time.sleep(0.01)
    # The namespace ends with its first process.
    os.kill(first, signal.SIGKILL)
    sys.exit("the load does not end")


main()
