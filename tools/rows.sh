#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# rows.sh: lists rows of the language description (test/rows.txt) that no test covers.  A test covers a row if its
# file has the name (err_D_TAG_what.d; strlen.d, with - for _), or if a comment has a line "rows: NAME NAME ...".
# The status is 1 if a row is not covered.
cd "${0%/*}/.." || exit 2

named() {
	find test -name 'err_D_*.d' | sed -n 's,.*/err_\(D_[A-Z_0-9]*\)_[a-z].*,\1,p'
	find test -name '*.d' | sed 's,.*/,,; s,\.d$,,' | tr - _
	grep -rhoE '(^|[^a-z])rows: .*' test --include='*.[dct]' | sed 's,.*rows: ,,; s,\*/.*,,' |
		tr ' ' '\n'
}

missing=$(grep -vE '^(# |$)' test/rows.txt | grep -vxF -e "$(named)")
[ -z "$missing" ] && exit 0
echo "$missing"
exit 1
