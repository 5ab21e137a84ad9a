#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""comments.py [-v]: comments of C and D files that open with What, One, Of, Who, Where, Whether, Which or How.

Prints how many there are, and ends with status 1 if they are more than 1% of all comments.
With -v it prints each.
"""
import glob
import re
import sys

SHARE = 1  # per cent
FILES = 'src/*/*.[ch]', 'include/*.h', 'include/*/*.h', 'dlib/*.d', 'dlib/*/*.d', 'tools/*.c', 'test/*/*.[ch]'
OPENERS = re.compile(r'(What|One|Of|Who|Where|Whether|Which|How)\b')
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*(.*?)\*/', re.S)


def comments(path):
    """Yields line and text of each comment in a file."""
    with open(path, encoding='utf-8') as f:
        source = f.read()
    for m in COMMENT.finditer(source):
        text = m.group(1)
        if text and 'SPDX' not in text:
            text = re.sub(r'\s*\n\s*\*?\s*', ' ', text).strip(' *')
            yield source.count('\n', 0, m.start()) + 1, re.sub(r'^[a-z_0-9.]+\.[chd]: ', '', text)


def main():
    total, bad = 0, 0
    for path in sorted(p for g in FILES for p in glob.glob(g)):
        for line, text in comments(path):
            total += 1
            if OPENERS.match(text):
                bad += 1
                if '-v' in sys.argv:
                    print(f'{path}:{line}: {text[:70]}')
    share = 100 * bad / total
    print(f'{bad} of {total} comments ({share:.1f}%) open with What, One, Of ...')
    return share > SHARE


if __name__ == '__main__':
    sys.exit(main())
