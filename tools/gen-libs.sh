#!/bin/sh
# Prints a C file with the D libraries given as arguments.
set -eu
printf '#include "compile/libs.h"\n'
printf 'const struct dlib_file dlib_files[] = {\n'
for f in "$@"; do
	printf '\t{ "%s",\n' "$(basename "$f")"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/\t  "/; s/$/\\n"/' "$f"
	printf '\t  , %d },\n' "$(wc -c <"$f")"
done
printf '};\nconst unsigned int dlib_count = sizeof(dlib_files) / sizeof(dlib_files[0]);\n'
