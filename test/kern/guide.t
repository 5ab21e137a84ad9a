#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guide.t: commands of the guides in docs/ do what the guides show, see guide.py.
#
# guests: none
# needs: gcc python3
. "${0%/*}/lib.sh"

mkdir "$work/bin"
ln -s "$dtrace" "$work/bin/dtrace"
export PATH=$work/bin:$top/dwatch:$PATH
cd "$work" || exit 1

ln -s "$top/scripts" "$top/dlib" .
ln -s "$top/build/test-pid" program
head -c 20000000 /dev/urandom | base64 >file
# The target is this machine; its agent sees another os-release, and so another name.
printf 'NAME="Debian GNU/Linux"\nVERSION_ID="13"\n' >os-release
cat >agent <<END
#!/bin/sh
mount --bind $work/os-release /etc/os-release
exec $dtrace --agent
END
chmod +x agent
export DTRACE_OPT_TARGET="web-1=exec:unshare -m $work/agent"

for guide in "$top/README.md" "$top"/docs/*.md; do
	name=${guide#"$top"/}
	grep -qE '^    (# |dtrace -|dwatch -)' "$guide" || continue
	case $name in
	docs/exporter.md) program=prometheus ;;
	docs/node.md | docs/ruby.md | docs/php.md | docs/perl.md | docs/java.md) program=${name#docs/} program=${program%.md} ;;
	*) program=python3 ;;
	esac
	if ! type -P "$program" >/dev/null; then
		skip "$name" "Debian's $program is not installed"
		continue
	fi
	shown=0
	while IFS= read -r line; do
		case $line in
		'# '*) echo "$line" ;;
		*)
			shown=$((shown + 1))
			ok "$name: ${line#* - }" test "${line%% - *}" = ok
			;;
		esac
	done < <(python3 "$top/test/kern/guide.py" "$guide")
	positive $shown "$name shows commands"
done
done_testing
