#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools.t: arguments of tools.
#
# guests: none
# needs: node
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# Two stand-ins for dtrace: one only compiles, and has every probe; the other prints its arguments.
cat >"$work/compile" <<END
#!/bin/sh
case \$1 in
-ln) echo 1 ;;
-lvn) echo "	Sites" ;;
*) exec "$dtrace" -e -Z "\$@" ;;
esac
END
cat >"$work/tell" <<'END'
#!/bin/sh
printf '<%s>\n' "$@"
cat <&9
END
chmod +x "$work/compile" "$work/tell"

# says TOOL ARGUMENT...: runs the tool; the status is $status, the output in $work/out and $work/err.
says() {
	"$top/scripts/$1" "${@:2}" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# process_of TOOL: prints the arguments of a tool that needs a process.
process_of() {
	case $1 in
	dtruss | hotuser) echo "-n nobody" ;;
	mallocstacks | memleak | plockstat) echo "-p $$" ;;
	nodegc) readlink -f "$(type -P node)" ;;
	esac
}

value_of() {
	case $1 in
	-p) echo $$ ;;
	*) echo 1 ;;
	esac
}

for tool in "$top"/scripts/*; do
	name=${tool##*/}
	[[ $name != *.d && $name != *.sh ]] || continue
	says "$name" -h
	is "$status $(head -n 1 "$work/out" | cut -d ' ' -f 1,2)" "0 usage: $name" "$name -h tells its usage"
	says "$name" -~
	is "$status $(grep -c '^usage: ' "$work/err") $(wc -c <"$work/out")" "2 1 0" "$name: a wrong option"
	# It reads variables that not every kernel has.
	[ "$name" != swapinfo ] || grep -qw nr_swap_pages /proc/kallsyms || continue
	# It needs the counts of its program: see audit.t.
	[ "$name" != audit ] || continue
	"$tool" -h >"$work/options"
	bad=
	export DTRACE=$work/compile
	while IFS=$'\t' read -r option _; do
		case $option in
		-?) arguments=$option ;;
		-*) arguments="${option% *} $(value_of "${option% *}")" ;;
		*) continue ;;
		esac
		# shellcheck disable=SC2046,SC2086
		says "$name" $arguments $(process_of "$name")
		[ "$status" = 0 ] || { bad+=" $option"; note_file "standard error with $option" "$work/err"; }
	done <"$work/options"
	# shellcheck disable=SC2046
	says "$name" $(process_of "$name")
	[ "$status" = 0 ] || bad+=" (none)"
	if grep -q '\[interval' "$work/options"; then
		says "$name" 1 2
		[ "$status" = 0 ] || bad+=" interval"
	fi
	export DTRACE=$dtrace
	is "$bad" "" "$name compiles with each of its options, and with an interval" || note_file "standard error" "$work/err"
done

# The name of a process can contain a newline, and look like a line of the tool itself.
is "$(printf 'owner $(touch %s/owned) x\nowner 1;touch %s/owned x\nowner 99999999 sh\na @99999999 b\nx @$(id) y\n' "$work" "$work" |
	sh -c '. "$1"; with_owners "%d %s"' sh "$top/scripts/owners.sh"; ls "$work/owned" 2>&1 | grep -c cannot)" "a 99999999 sh b
1" "names of processes are no code"

for number in -1 x 1x '' 0x10 99999999999 '$(date)'; do
	says iosnoop -p "$number"
	is "$status" 2 "no number: '$number'"
done
true &
wait $!
while read -r arguments; do
	# shellcheck disable=SC2086
	says $arguments
	is "$status $(grep -c '^usage: ' "$work/err") $(wc -c <"$work/out")" "2 1 0" "there is no such thing: $arguments"
done <<-END
	iosnoop -p 0
	iosnoop -p $!
	hotuser -p $!
	exitsnoop -P 0
	tcptop -P 0
	tcptop -P 65536
	killsnoop -S 0
	killsnoop -S 65
	sampleproc 0
END
says iosnoop -n ''
is "$status $(head -n 1 "$work/err")" "2 iosnoop: empty name" "no name"
says iosnoop -p
is "$status" 2 "no value"
says cpudists 1 2 3
is "$status" 2 "an operand too many"

says dtruss sh -c 'a b'
is "$status" 2 "a command whose arguments would be others"

printf '#!/bin/sh\necho "   ID   PROVIDER"\n' >"$work/lists-nothing"
chmod +x "$work/lists-nothing"
DTRACE=$work/lists-nothing says lockstat
is "$status $(wc -l <"$work/err")" "1 1" "a tool whose probes are not there says so in a line"

may_probe_functions || {
	says namecache
	is "$status $(wc -l <"$work/err") $(wc -c <"$work/out")" "1 1 0" "namecache: this kernel has no sites"
}

# The output of dtrace goes to a table; names have blanks in them.
cat >"$work/samples" <<'END'
#!/bin/sh
echo of the command
printf '1 a`f(unsigned int)\n2 a`g\033[0m\n3 a`main\n2 a`f(unsigned int)\n' >&3
END
chmod +x "$work/samples"
DTRACE=$work/samples says hotuser true
is "$(tr -s ' ' <"$work/out" | cat -v)" 'of the command
FUNCTION COUNT PCNT
a`g^[[0m 2 25.0%
a`f(unsigned int) 3 37.5%
a`main 3 37.5%' "hotuser: names with blanks, once, and what the command prints"
printf '#!/bin/sh\nexit 3\n' >"$work/fails"
chmod +x "$work/fails"
DTRACE=$work/fails says hotuser true
is "$status" 3 "hotuser: fails as dtrace does"

export DTRACE=$work/tell
says iosnoop -p 0001
has "$work/out" 'inline int opt_p = 1;' "numbers have no 0 in front"
name='"; system("a"); // $(b) `c` -w'
says iosnoop -f "$name" -n -w
is "$(sed -n '/^<-->$/,/^inline/p' "$work/out" | sed '1d;$d;/^<>$/d')" "<$name>"$'\n<-w>' "texts are arguments of the program, behind all options"
ok "and no part of its text" test -z "$(sed '/^inline/,$!d' "$work/out" | grep -F 'system')"

done_testing
