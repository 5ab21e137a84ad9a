#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guide.t: what the guides in docs/ show is what happens, see guide.py.
. "${0%/*}/lib.sh"
not_in_guests

mkdir "$work/bin"
ln -s "$dtrace" "$work/bin/dtrace"
export PATH=$work/bin:$PATH
cd "$work" || exit 1

ln -s "$top/scripts" "$top/dlib" .
ln -s "$top/build/test-pid" program

for guide in README docs/first-hour docs/from-others docs/provider docs/pid docs/stacks docs/usdt docs/json docs/exporter docs/pictures; do
	if [ $guide = docs/exporter ] && ! type -P prometheus >/dev/null; then
		skip "$guide.md" "Debian's prometheus is not installed"
		continue
	fi
	shown=0
	while IFS= read -r line; do
		case $line in
		'# '*) echo "$line" ;;
		*)
			shown=$((shown + 1))
			ok "$guide.md: ${line#* - }" test "${line%% - *}" = ok
			;;
		esac
	done < <(python3 "$top/test/kern/guide.py" "$top/$guide.md")
	positive $shown "$guide.md shows commands"
done
done_testing
