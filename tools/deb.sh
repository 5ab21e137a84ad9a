#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# deb.sh FOLDER: makes Debian packages of the sources (tools/sources.sh), and the source package, in a new FOLDER.  It runs
# dpkg-buildpackage(1), which reads DEB_BUILD_OPTIONS: parallel=N, nocheck.
set -eu -o pipefail

out=${1:?usage: deb.sh FOLDER}
rm -rf "$out"
mkdir -p "$out/dtrace"
out=$(cd "$out" && pwd)
"$(dirname "$0")/sources.sh" | tar -x -C "$out/dtrace"

# Variables of the calling make belong to another build.
cd "$out/dtrace"
env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MFLAGS dpkg-buildpackage --no-sign
cd ..
rm -rf dtrace
ls ./*.deb
