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
for kind in flame heat html save perfetto chrome; do
	leave $kind
	dtrace_run -q --$kind "$folder/$kind" -n 'BEGIN { @[stack()] = count(); @q = quantize(7); } tick-50ms { exit(0); }'
	ok "--$kind: a link is refused" test $status = 1 -o $status = 2
	has "$work/err" "it is a symbolic link of another user" "--$kind: the message"
	untouched "--$kind"
	touch "$folder/old.$kind"
	chown nobody "$folder/old.$kind"
	chmod 4777 "$folder/old.$kind"
	dtrace_run -q --$kind "$folder/old.$kind" -n 'BEGIN { @[stack()] = count(); @q = quantize(7); } tick-50ms { exit(0); }'
	ok "--$kind: the file is written" test -s "$folder/old.$kind"
	is "$(stat -c '%a %u' "$folder/old.$kind")" "$(printf '%o' $((0666 & ~0$(umask)))) $(id -u)" "--$kind: the rights of a new file"
done
is "$(ls "$folder" | grep '\.[0-9a-f]\{8\}$')" "" "no file with a name for a moment is left"

# refused PATH MESSAGE: output is not appended to the file.
refused() {
	timeout 10 "$dtrace" -q -o "$1" -n 'BEGIN { printf("mine"); exit(0); }' >"$work/out" 2>"$work/err"
	is $? 1 "$1: status 1"
	has "$work/err" "$2" "$1: the message"
}
mkdir "$work/private"
cp "$work/victim" "$work/private/text"
leave_folder() {
	ln -s "$work/private" "$folder/$1"
	chown -h nobody "$folder/$1"
}
leave_folder work
refused "$folder/work/text" "it is a symbolic link of another user, or has one in its path"
is "$(cat "$work/private/text")" precious "a link in the path is not followed"
ln -s "$folder/work" "$folder/through"
refused "$folder/through/text" "or has one in its path"
is "$(cat "$work/private/text")" precious "... nor a link that leads to it"
leave_folder objects
echo 'provider p { probe q(); };' >"$work/p.d"
for option in -G -h; do
	"$dtrace" $option -s "$work/p.d" -o "$folder/objects/text" >"$work/out" 2>"$work/err"
	is $? 1 "$option: a link in the path: status 1"
	has "$work/err" "or has one in its path" "$option: the message"
	is "$(cat "$work/private/text")" precious "$option: the file is as it was"
done
touch "$folder/theirs"
chmod 4777 "$folder/theirs"
chown nobody "$folder/theirs"
refused "$folder/theirs" "it belongs to another user"
cp "$work/victim" "$folder/program"
chmod 4755 "$folder/program"
refused "$folder/program" "it is a set-user-ID"
ln "$work/victim" "$folder/again"
refused "$folder/again" "it has another name"
untouched "a hard link"
mkfifo "$folder/fifo"
refused "$folder/fifo" "it is a FIFO that no process reads"

# A link of the user's own is followed, and so is root's.
ln -s "$work/text" "$folder/own"
dtrace_run -q -o "$folder/own" -n 'BEGIN { printf("mine"); exit(0); }'
is "$(cat "$work/text" | tr -d '\n')" mine "its own link is followed"
touch "$work/page"
ln -s "$work/page" "$folder/page"
dtrace_run -q --html "$folder/page" -n 'BEGIN { @ = count(); exit(0); }'
ok "for pictures, too" test -L "$folder/page" -a -s "$work/page"
ln -s "$work" "$folder/below"
dtrace_run -q -o "$folder/below/./deep" -n 'BEGIN { printf("mine"); exit(0); }'
is "$(cat "$work/deep")" mine "... and in a path"
cat "$folder/fifo" >"$work/read" &
dtrace_run -q -o "$folder/fifo" -n 'BEGIN { printf("mine"); exit(0); }'
wait $!
is "$(cat "$work/read")" mine "a FIFO that is read"
is "$("$dtrace" -q -o /dev/stdout -n 'BEGIN { printf("mine"); exit(0); }' | cat)" mine "/dev/stdout"
is "$("$dtrace" -q -o >(cat) -n 'BEGIN { printf("mine"); exit(0); }' | cat)" mine "a pipe that the shell made"
is "$(cd "$work" && "$dtrace" -q -o plain -n 'BEGIN { printf("mine"); exit(0); }' && cat plain)" mine "a name without a folder"

done_testing
