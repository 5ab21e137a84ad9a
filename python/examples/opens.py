#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""opens.py [SECONDS [PID]]: how many files each process opens, and the last one of each."""

import sys

import libdtrace

PROGRAM = '''
syscall::openat:entry
/$1 == 0 || pid == $1/
{
        @opens[execname, pid] = count();
        trace(pid);
        trace(copyinstr(arg1));
}
'''


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    pid = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    last = {}
    with libdtrace.Consumer(PROGRAM, args=[pid], bufsize='4m') as consumer:
        for record in consumer.run(seconds):
            last[record.values[0]] = record.values[1]
        for (name, number), count in consumer.aggregation('opens').items():
            print('%-16s %7d %7d  %s' % (name, number, count, last.get(number, '')))
        for drop in consumer.drops:
            print(drop.message, file=sys.stderr)


try:
    main()
except (libdtrace.Error, ValueError) as e:
    sys.exit('opens.py: %s' % e)
except KeyboardInterrupt:
    pass
