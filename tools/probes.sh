#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# probes.sh LIBRARY...: the stable probes that D libraries declare as tables in Markdown: their
# arguments, and the sites that serve them.
set -eu

cat <<'END'
# Probes of the stable providers

Made by `make docs` from the libraries in `dlib/`. *Sites* are the places of the kernel where a probe fires: all that are
separated by commas; of those on both sides of *else* the first that a kernel has, `fbt` only where functions can be traced. A
probe without a site is there for scripts that name it, and never fires on Linux.

END
cat "$@" | tr '\n\t' '  ' | awk -f "${0%/*}/probes.awk" | awk -F '\t' '
$1 != last {
	printf "%s## %s\n\n| probe | arguments | sites |\n| --- | --- | --- |\n", last == "" ? "" : "\n", $1
	last = $1
}
{ printf "| `%s` | %s | %s |\n", $2, $3, $4 }
END { print "" }'
