#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tool-page.sh TOOL: the page of the manual of a tool of scripts/, made of the comment at its head:
#
#	NAME: what it is
#
#	usage: how it is called
#
#		-n name	an option or an operand
#		COLUMN	what is in it
#
#	Text.
#
#	example: a command
#		and what it prints
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

# Marks of comments are taken off: #, and / * and * / with what is between them.
awk 'NR > 2 && !/^( ?\*|#|\/\*)/ { exit } NR > 2' "$tool" | sed -E 's,^(#| \*|/\*) ?,,; s,^/$,,' |
	awk -v tool="${tool##*/}" -v providers="$providers" -f "$tools/tool-page.awk"
