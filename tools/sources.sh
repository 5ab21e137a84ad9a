#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sources.sh: the sources here, as they are now, as a tar archive on standard output: in a git checkout what git knows or would
# add, elsewhere all but build.
set -eu -o pipefail

cd "$(dirname "$0")/.."
if [ -e .git ]; then
	git ls-files --cached --others --exclude-standard -z
else
	find . -path ./build -prune -o ! -type d -print0
fi | tar -c --null --no-recursion --ignore-failed-read -T -
