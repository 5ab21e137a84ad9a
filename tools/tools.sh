#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tools.sh TOOL...: prints the tools of scripts/ as a Markdown table.
set -eu

cat <<'END'
# Tools

`make docs` makes this page from the heads of `scripts/`, which `make install` puts into `/usr/share/dtrace/scripts`.

Each tool is a command and has a manual page: `man execsnoop`.
`iotop` and `tcptrack` are installed as `dtrace-iotop` and `dtrace-tcptrack`, because other packages have these names, too.
A tool without `.d` has options, and `-h` lists them; `-p` and `-n` choose a process by number or name.
In front of them, `--flame FILE`, `--heat FILE` and `--html FILE` draw what the tool counts, and `--save FILE` saves all data: [pictures](pictures.md).

| tool | what it shows |
| --- | --- |
END
for tool; do
	"${0%/*}/tool-page.sh" "$tool" | awk '/^\.Nm/ && !name { name = $2 } /^\.Nd/ { sub(/^\.Nd /, ""); print "| `" name "` | " $0 " |" }'
done
