#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a C file with the style sheets and scripts given as arguments: picture.js becomes web_picture_js.
set -eu
printf '#include "chart/svg.h"\n'
for f in "$@"; do
	printf 'const char web_%s[] =\n' "$(basename "$f" | tr .- __)"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/^/\t"/; s/$/\\n"/' "$f"
	printf ';\n'
done
