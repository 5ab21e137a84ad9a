#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# links.t: output never follows a symbolic link of another user to the file that dtrace writes.  An existing file does
# not decide the permissions of a new one.
#
# guests: none
. "${0%/*}/lib.sh"

folder=$work/open
mkdir -m 1777 "$folder"
echo precious >"$work/victim"
chmod 600 "$work/victim"
# leave NAME: makes a link to the file, owned by another user.
leave() {
	ln -s "$work/victim" "$folder/$1"
	chown -h nobody "$folder/$1"
}
untouched() {
	is "$(cat "$work/victim") $(stat -c %a "$work/victim")" "precious 600" "$1: the file that the link leads to is as it was"
}

leave text
dtrace_run -q -o "$folder/text" -n 'BEGIN { trace("mine"); exit(0); }'
is $status 1 "-o: status 1"
has "$work/err" "failed to open output file '$folder/text': it is a symbolic link of another user" "-o: the message"
untouched -o
leave reopened
dtrace_run -w -q -n "BEGIN { freopen(\"$folder/reopened\"); printf(\"mine\"); exit(0); }"
has "$work/err" "$folder/reopened': it is a symbolic link of another user" "freopen(): the message"
untouched "freopen()"
leave json
dtrace_run --libxo json -o "$folder/json" -n 'BEGIN { trace("mine"); exit(0); }'
untouched "--libxo json -o"
for kind in flame heat html; do
	leave $kind
	touch "$folder/old.$kind"
	chown nobody "$folder/old.$kind"
	chmod 4777 "$folder/old.$kind"
	for file in $kind old.$kind; do
		dtrace_run -q --$kind "$folder/$file" -n 'BEGIN { @[stack()] = count(); @q = quantize(7); } tick-50ms { exit(0); }'
		ok "--$kind: a file of its own" test -f "$folder/$file" -a ! -L "$folder/$file"
		is "$(stat -c '%a %u' "$folder/$file")" "$(printf '%o' $((0666 & ~0$(umask)))) $(id -u)" "--$kind: the rights of a new file"
	done
	untouched "--$kind"
done

# A link of the user's own is followed, and so is root's.
ln -s "$work/text" "$folder/own"
dtrace_run -q -o "$folder/own" -n 'BEGIN { printf("mine"); exit(0); }'
is "$(cat "$work/text" | tr -d '\n')" mine "its own link is followed"
touch "$work/page"
ln -s "$work/page" "$folder/page"
dtrace_run -q --html "$folder/page" -n 'BEGIN { @ = count(); exit(0); }'
ok "for pictures, too" test -L "$folder/page" -a -s "$work/page"

done_testing
