#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# probes.sh LIBRARY...: prints the stable probes of D libraries as Markdown tables, with their arguments and sites.
set -eu

cat <<'END'
# Probes of the stable providers

`make docs` makes this page from the libraries in `dlib/`.

*Sites* are the places of the kernel where a probe fires.
A probe fires at each of the sites between commas.
Of the sites on both sides of *else*, it fires at the first that the kernel has.
An `fbt` site needs a kernel whose functions can be traced.
A probe without a site never fires on Linux, and exists for scripts that name it.

END
cat "$@" | tr '\n\t' '  ' | awk -f "${0%/*}/probes.awk" | awk -F '\t' '
$1 != last {
	printf "%s## %s\n\n| probe | arguments | sites |\n| --- | --- | --- |\n", last == "" ? "" : "\n", $1
	last = $1
}
{ printf "| `%s` | %s | %s |\n", $2, $3, $4 }
END { print "" }'
