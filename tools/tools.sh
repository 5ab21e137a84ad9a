#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tools.sh TOOL...: the tools of scripts/ as a table in Markdown.
set -eu

cat <<'END'
# Tools

Made by `make docs` from the heads of `scripts/`, which are installed in `/usr/share/dtrace/scripts`. Each is a command (`iotop` and
`tcptrack`, which other packages have, too, are `dtrace-iotop` and `dtrace-tcptrack`) and has a page: `man execsnoop`. Those
without `.d` have options, which `-h` tells; `-p` and `-n` choose a process by number or name.

| tool | what it shows |
| --- | --- |
END
for tool; do
	"${0%/*}/tool-page.sh" "$tool" | awk '/^\.Nm/ && !name { name = $2 } /^\.Nd/ { sub(/^\.Nd /, ""); print "| `" name "` | " $0 " |" }'
done
