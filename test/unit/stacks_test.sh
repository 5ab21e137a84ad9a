#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# stacks_test.sh: runs stacks_test.js.
if ! type -P node >/dev/null; then
	echo "skipped (not installed: nodejs)"
	exit 0
fi
exec node "${0%.sh}.js"
