#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# archive.sh: prints the address of the Debian archive that the machine's own configuration of apt names: the one with
# whole releases; those of security and updates hold parts.
set -eu

# apt itself expands what looks like shell here.
# shellcheck disable=SC2016
uri=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
	awk '$2 == "main" && $1 ~ /\/debian\/?$/ { print $1; exit }')
[ -n "$uri" ] || { echo "archive.sh: no Debian archive in apt's configuration" >&2; exit 1; }
echo "$uri"
