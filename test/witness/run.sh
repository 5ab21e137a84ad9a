#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [NAME [SEED [COUNT]]]: runs the witness NAME, or all, with a seed (default 1) and a number of steps.
#
# A witness makes a random load of known size in namespaces of its own, and compares each value of dtrace with an
# independent source.  docs/accuracy.md lists what is compared with what.  The status is 1 if anything differs.
cd "${0%/*}" || exit
status=0
for witness in ${1:-*}; do
	witness=${witness%.sh}
	case $witness in lib* | run | *.*) continue ;; esac
	[ -e "$witness.sh" ] || { echo "witness: no witness $witness" >&2; exit 2; }
	echo "== $witness, seed ${2:-1}"
	"./$witness.sh" "${2:-1}" ${3:+"$3"} || status=1
done
exit $status
