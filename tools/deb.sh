#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# deb.sh FOLDER: makes Debian packages of the sources here, and the source package, in a new FOLDER.  In a git checkout the
# sources are what git knows or would add, as it is now; elsewhere all but build.  Asks dpkg-buildpackage(1), which is told
# more in DEB_BUILD_OPTIONS: parallel=N, nocheck.
set -eu -o pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: deb.sh FOLDER}
rm -rf "$out"
mkdir -p "$out/dtrace"
out=$(cd "$out" && pwd)

cd "$top"
if [ -e .git ]; then
	git ls-files --cached --others --exclude-standard -z
else
	find . -path ./build -prune -o ! -type d -print0
fi | tar -c --null --no-recursion --ignore-failed-read -T - | tar -x -C "$out/dtrace"

# What make was called with is about another build.
cd "$out/dtrace"
env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MFLAGS dpkg-buildpackage --no-sign
cd ..
rm -rf dtrace
ls ./*.deb
