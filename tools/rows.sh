#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# rows.sh BUILD: lists rows of the language that no test covers.  The rows are the words, tags, options and dialects
# in the tables of the code (BUILD/words), the options of the command (--help), and test/rows.txt.  A test covers a
# row if its file has the name (err_D_TAG_what.d; strlen.d, with - for _), or if a comment has a line
# "rows: NAME NAME ...".  The status is 1 if a row is not covered, or if test/rows.txt excludes a row that does not
# exist.
build=$(realpath "$1") || exit 2
cd "${0%/*}/.." || exit 2

rows() {
	"$build/words" | awk -F '\t' '
		$1 == "variable" || $1 == "subroutine" || $1 == "action" { print $2 }
		$1 == "aggregating" { print "@" $2 }
		$1 == "option" { print "-x" $2 }
		$1 == "tag" { print "D_" $2 }
		$1 == "dialect" { print "DIALECT_" $2 }'
	"$build/dtrace" --help | sed -n 's/^\t\(-[^ ]*\) *\(-[^ ]*\)*  .*/\1\n\2/p' | grep .
	grep -vE '^(# |!|$)' test/rows.txt
}

named() {
	find test -name 'err_D_*.d' | sed -n 's,.*/err_\(D_[A-Z_0-9]*\)_[a-z].*,\1,p'
	find test -name '*.d' | sed 's,.*/,,; s,\.d$,,' | tr - _
	grep -rhoE '(^|[^a-z])rows: .*' test --include='*.[dct]' | sed 's,.*rows: ,,; s,\*/.*,,' |
		tr ' ' '\n'
}

excluded=$(sed -n 's/^!//p' test/rows.txt)
rows=$(rows)
missing=$(
	echo "$rows" | grep -vxF -e "$excluded" | grep -vxF -e "$(named)"
	echo "$excluded" | grep -vxF -e "$rows" | sed 's/^/!/'
)
[ -z "$missing" ] && exit 0
echo "$missing"
exit 1
