#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tool-page.sh TOOL: prints the manual page of a tool of scripts/, made from the comment at its head:
#
#	NAME: a short description
#
#	usage: the synopsis
#
#		-n name	an option or an operand
#		COLUMN	its contents
#
#	Text.
#
#	example: a command
#		and its output
set -eu
tool=$1
tools=${0%/*}
providers=
for page in "$tools"/../man/dtrace_*.4; do
	name=${page##*/dtrace_}
	name=${name%.4}
	[ "$name" != dtrace ] || continue
	! grep -Eq "(^|[ ,])$name(\\\$target)?:[a-z]*:[a-z_0-9?*]*:" "$tool" || providers="$providers dtrace_$name 4"
done

# Remove comment marks: #, and / * and * / with the text between them.
awk 'NR > 2 && !/^( ?\*|#|\/\*)/ { exit } NR > 2' "$tool" | sed -E 's,^(#| \*|/\*) ?,,; s,^/$,,' |
	awk -v tool="${tool##*/}" -v providers="$providers" -f "$tools/tool-page.awk"
