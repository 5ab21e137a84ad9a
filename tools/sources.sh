#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sources.sh: prints the current sources as a tar archive.  In a git checkout these are the files that git knows or would
# add.  Without git, or if git refuses the checkout of another user, these are all files except build and .git.
set -eu -o pipefail

cd "$(dirname "$0")/.."
if [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files --cached --others --exclude-standard -z
else
	find . \( -path ./build -o -path ./.git \) -prune -o ! -type d -print0
fi | tar -c --null --no-recursion --ignore-failed-read -T -
