#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""prose.py [-v] FILE...: sentences of more than 25 words in pages of Markdown and mdoc.

Prints each page with a share of 10% or more, and ends with status 1 if there is such a page.
With -v it prints the share of every page, and the long sentences.
Code, tables and headings do not count.
"""
import re
import sys

LIMIT = 25  # words
SHARE = 10  # per cent
# Requests whose words belong to the sentence around them.  All other requests end it.
INLINE = set('Ar Cm Dv Em Ev Fl Fn Ic In Li No Ns Op Pa Pq Sq Dq Sx Sy Va Vt Xr Nm Fx Ox Nx Bq Aq'.split())


def markdown(text):
    """Paragraphs and items of lists."""
    block, is_fenced = [], False
    for line in text.split('\n') + ['']:
        if line.startswith('```'):
            is_fenced = not is_fenced
            line = ''
        item = re.match(r'\s*([*+-]|\d+\.) +(.*)', line)
        is_code = is_fenced or (line.startswith(('    ', '\t')) and not item and not block)
        if is_code or not line.strip() or line.startswith(('#', '|')) or item:
            if block:
                yield ' '.join(block)
            block = [item.group(2)] if item and not is_code else []
        else:
            block.append(line.strip())
    if block:
        yield ' '.join(block)


def mdoc(text):
    block, is_literal = [], False
    for line in text.split('\n') + ['.Pp']:
        words = line.split()
        if line.startswith(('.Bd', '.Sh')):
            is_literal = line.startswith('.Bd') and '-filled' not in line
        if line.startswith('.Ed'):
            is_literal = False
        if line.startswith('.\\"') or is_literal and not line.startswith('.'):
            continue
        if not line.startswith('.'):
            block.append(line)
        elif words and words[0][1:] in INLINE:
            block.append(' '.join(w for w in words[1:] if w not in INLINE))
        elif block:
            yield ' '.join(block)
            block = []


def sentences(block):
    block = re.sub(r'`[^`]*`', 'code', block)
    block = re.sub(r'\]\([^)]*\)', ']', block)
    block = re.sub(r'\\[efB][A-Z]?', '', block)
    for part in re.split(r'(?<=[.!?])[*")\]]* +', block):
        words = [w for w in part.split() if re.search(r'\w', w)]
        if words:
            yield len(words), part


def main():
    args = sys.argv[1:]
    is_verbose = args[:1] == ['-v']
    failed = False
    for name in args[is_verbose:]:
        with open(name, encoding='utf-8') as f:
            text = f.read()
        blocks = markdown(text) if name.endswith('.md') else mdoc(text)
        found = [s for b in blocks for s in sentences(b)]
        long = [s for s in found if s[0] > LIMIT]
        share = 100 * len(long) / max(len(found), 1)
        failed |= share >= SHARE
        if is_verbose or share >= SHARE:
            print(f'{share:5.1f}% of {len(found):4} sentences: {name}')
        if is_verbose:
            for n, part in long:
                print(f'       {n} words: {part}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
