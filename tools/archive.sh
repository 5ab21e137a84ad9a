#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# archive.sh: prints the address of the Debian archive in the machine's own configuration of apt.  The archive has
# whole releases; the addresses of security and updates have only parts.
set -eu

# apt expands the text that looks like shell here.
# shellcheck disable=SC2016
uri=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
	awk '$2 == "main" && $1 ~ /\/debian\/?$/ { print $1; exit }')
[ -n "$uri" ] || { echo "archive.sh: no Debian archive in apt's configuration" >&2; exit 1; }
echo "$uri"
