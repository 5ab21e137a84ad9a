#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# mutants.py FOLDER N SEED [FILE | FILE:LINE]...: changes that no test notices.
#
# A mutant is the program with one operator or number of one line changed.  N mutants are drawn at random, with FILE
# or FILE:LINE from these places.  The same sources, N and SEED give the same mutants.  Each is built in FOLDER, a
# copy of the sources, and the rungs that need no kernel run until one fails.  Each mutant that survives is printed
# with its line.  Write a test that fails with it.  If no behaviour can show the change, add it to test/mutants.txt
# with the reason.
#
# test/mutants.txt has lines `FILE: TEXT OF THE LINE: OLD -> NEW: REASON`.  These mutants are not counted.
import collections
import glob
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

FOLDERS = 'lang type lower plan builtin ir opt bpf'.split()
COPIED = 'Makefile ARCHITECTURE.md src include test tools dlib scripts man dwatch debian python'.split()
EQUIVALENT = 'test/mutants.txt'
GEN_COUNT = 60
LIMIT = 300  # seconds for a build, whose generators a mutant can stop, and for tests of the unchanged program
MEMORY = 8 << 30  # bytes of address space; a mutant can allocate without end

PAIRS = [('==', '!='), ('<=', '<'), ('>=', '>'), ('&&', '||'), ('<<', '>>'), ('++', '--'), ('+', '-'),
         ('&', '|'), ('true', 'false')]
OTHER = {old: new for pair in PAIRS for old, new in (pair, pair[::-1])}
# Formatted sources have blanks around binary operators, but not after unary operators.
TOKEN = re.compile(r'(?<= )(?:==|!=|<=|>=|&&|\|\||<<|>>|[-+<>&|])(?= |$)|\+\+|--|(?<![\w.])(?:true|false)\b|'
                   r'!(?!=)|(?<![\w.])(?:0|[1-9]\d{0,2})(?:[uU]?[lL]{0,2})(?![\w.])|'
                   r'(?<=if \()[A-Za-z_][\w.]*(?:->\w+)*(?=\))')
DECLARED = re.compile(r'^\s*(?:(?:static|const|struct|unsigned|int|char|enum|u?int\d+_t|size_t)\b.*\[[^]]*$|'
                      r'.*\w : $)')
# The smaller or larger of two values is the same with <= as with <.
EXTREME = re.compile(r'(?<![\w.>-])([\w.>-]+)( [<>]=? )(?=([\w.>-]+) \? (?:\1 : \3|\3 : \1);)')

Mutant = collections.namedtuple('Mutant', 'file line text begin end new')


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group())


def code_lines(text):
    """Returns lines of the same lengths, with blanks for what is no behaviour: comments, strings, assertions."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    text = re.sub(r'^[ \t]*#(?:\\\n|[^\n])*', blank, text, flags=re.M)
    text = re.sub(r'\bassert\(.*?\);|\bsizeof\(\w+\[0\]\)', blank, text, flags=re.S)
    return EXTREME.sub(lambda m: m[1] + ' ' * len(m[2]), text).split('\n')


def changed(token):
    if token[0].isdigit():
        digits = re.match(r'\d+', token).group()
        return str(int(digits) + 1) + token[len(digits):]
    if token == '!':
        return ''
    return OTHER.get(token, '!' + token)


def mutants_of(file):
    with open(file) as f:
        text = f.read()
    for n, (code, line) in enumerate(zip(code_lines(text), text.split('\n')), 1):
        for m in TOKEN.finditer(code):
            # The size of an array and the width of a bit-field are limits, not behaviour.
            if not m.group()[0].isdigit() or not DECLARED.match(code[:m.start()]):
                yield Mutant(file, n, line, m.start(), m.end(), changed(m.group()))


def new_text(m):
    return m.text[:m.begin] + m.new + m.text[m.end:]


def words(m):
    """Returns the change as OLD -> NEW, with the words before and after, which show where it is in the line."""
    before = re.search(r'\S*\s?$', m.text[:m.begin]).group().lstrip()
    after = re.match(r'\s?\S*', m.text[m.end:]).group().rstrip()
    return '%s -> %s' % (before + m.text[m.begin:m.end] + after, before + m.new + after)


def all_mutants(places):
    files = [f for folder in FOLDERS for f in sorted(glob.glob('src/%s/*.c' % folder))]
    found = [m for f in files for m in mutants_of(f)]
    if places:
        found = [m for m in found if m.file in places or '%s:%d' % (m.file, m.line) in places]
    return found


def equivalent(m, listed):
    key = '%s: %s: %s: ' % (m.file, m.text.strip(), words(m))
    return any(line.startswith(key) for line in listed)


# ---- the copy of the sources ----

def write(path, content):
    """Writes a file only if it changes, so that make builds nothing else anew."""
    try:
        with open(path, 'rb') as f:
            if f.read() == content:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(content)


def copy_tree(folder):
    kept = {'build'}
    for top in COPIED:
        for path in [top] + glob.glob(top + '/**', recursive=True, include_hidden=True):
            to = os.path.join(folder, path)
            kept.add(path)
            if os.path.isfile(path):
                with open(path, 'rb') as f:
                    write(to, f.read())
                shutil.copymode(path, to)
    for path in glob.glob('**', root_dir=folder, recursive=True):
        if path.split('/')[0] != 'build' and path.rstrip('/') not in {k.rstrip('/') for k in kept}:
            if os.path.isfile(os.path.join(folder, path)):
                os.unlink(os.path.join(folder, path))


# ---- building and testing ----

class Tree:
    """The copy.  limits: seconds for each command, from the time of the unchanged program."""

    def __init__(self, folder):
        self.folder = folder
        self.limits = {}
        self.programs = sorted('build/test/' + os.path.basename(p)[:-2] for p in glob.glob('test/unit/*_test.c'))

    def start(self, command):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit)

    def passes(self, command):
        """Returns true if the command succeeds within its limit.  A runner is stopped at the first failed file."""
        process = self.start(command)
        timer = threading.Timer(self.limits.get(command[0], LIMIT), os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        last = []
        try:
            for line in process.stdout:
                last = last[-20:] + [line.decode(errors='replace')]
                if line.startswith(b'failed '):
                    os.killpg(process.pid, signal.SIGKILL)
                    break
            status = process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        self.output = ''.join(last)
        return status == 0

    def build(self, *targets):
        return self.passes(['make', '-s', 'OPT=-O1', 'B=build', *targets])

    def rungs(self):
        """Yields make targets and the commands that need them, cheap ones first."""
        def files(pattern):
            return sorted(glob.glob(pattern, root_dir=self.folder))
        yield ['build/test/ir_run', 'build/test/lang_run'], [
            ['build/test/ir_run', *files('test/ir/*.ir')], ['build/test/lang_run', *files('test/lang/*.d')]]
        yield ['build/test/gen_run', 'build/test/exec_run'], [
            ['build/test/gen_run', '0', str(GEN_COUNT)], ['build/test/exec_run', *files('test/exec/*.d')]]
        yield self.programs, [[p] for p in self.programs]

    def outcome(self):
        for targets, commands in self.rungs():
            if not self.build(*targets):
                return 'did not compile'
            if not all(self.passes(c) for c in commands):
                return 'killed'
        return 'survived'

    def measure(self):
        """Runs the tests of the unchanged program, which must pass, and sets the limits by their time."""
        for targets, commands in self.rungs():
            if not self.build(*targets):
                sys.exit('mutants.py: cannot build the unchanged program:\n' + self.output)
            for c in commands:
                begin = time.monotonic()
                if not self.passes(c):
                    sys.exit('mutants.py: %s fails with the unchanged program:\n%s' % (c[0], self.output))
                self.limits[c[0]] = 20 + 10 * (time.monotonic() - begin)
        self.programs.sort(key=lambda p: self.limits[p])

    def try_mutant(self, m):
        path = os.path.join(self.folder, m.file)
        with open(path) as f:
            text = f.read()
        lines = text.split('\n')
        lines[m.line - 1] = new_text(m)
        with open(path, 'w') as f:
            f.write('\n'.join(lines))
        try:
            return self.outcome()
        finally:
            with open(path, 'w') as f:
                f.write(text)


def main():
    if len(sys.argv) < 4:
        sys.exit('usage: mutants.py FOLDER N SEED [FILE | FILE:LINE]...')
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    folder, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = all_mutants(sys.argv[4:])
    if not found:
        sys.exit('mutants.py: nothing to change in ' + ' '.join(sys.argv[4:]))
    drawn = random.Random(seed).sample(found, min(n, len(found)))
    with open(EQUIVALENT) as f:
        listed = f.read().split('\n')
    tested = [m for m in drawn if not equivalent(m, listed)]
    copy_tree(folder)
    tree = Tree(folder)
    tree.measure()
    count = collections.Counter()
    for m in tested:
        outcome = tree.try_mutant(m)
        count[outcome] += 1
        if outcome == 'survived':
            print('%s:%d: %s\n%s' % (m.file, m.line, words(m), m.text), flush=True)
    if len(tested) < len(drawn):
        print('left out as equivalent: %d' % (len(drawn) - len(tested)))
    print('%d mutants: %d killed, %d survived, %d did not compile' % (
        len(tested), count['killed'], count['survived'], count['did not compile']))


main()
