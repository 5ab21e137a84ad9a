#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh BUILD: checks that the manual pages in BUILD/man are well-formed and that their examples compile.  The
# pages must describe everything in the tables of the code (BUILD/words, the libraries, test/rows.txt), and nothing
# else.
set -u
export LC_ALL=C
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
build=$1
man=$build/man
dtrace=$build/dtrace
. test/checks.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# same TEXT: compares the lines of $work/want and $work/got, in any order.
same() {
	sort -u "$work/want" >"$work/a"
	sort -u "$work/got" >"$work/b"
	ok "$1: < is not in the manual, > only there" diff "$work/a" "$work/b"
	ok "$1: there are some" test -s "$work/a"
}

words() {
	awk -F '\t' -v kind="$1" '$1 == kind { print $2 }' "$work/words"
}

# rows TITLE: prints a section of test/rows.txt.
rows() {
	awk -v title="# $1" '
		/^# / { inside = index($0, title) == 1 || (inside && comment); comment = 1; next }
		{ comment = 0 }
		inside && NF' test/rows.txt
}

# items PAGE SECTION MACRO: prints the arguments of a macro in the heads of lists, up to the next macro.
items() {
	awk -v section="$2" -v macro="$3" '
	/^\.Sh / { inside = section == "" || $0 == ".Sh " section }
	inside && /^\.It / {
		# The words after an equals sign are a value.
		for (i = 2; i <= NF && $i != "="; i++) {
			if ($i ~ /^(Ar|Bq|Cm|Fl|Fn|Ft|Li|Oo|Op|Vt|Va)$/) {
				on = $i == macro
				count = 0
			} else if (on && $i == "Ns") {
				on = macro == "Va"
			} else if (on && $i !~ /^[,|]$/ && $i !~ /^\[\]$/ && (macro != "Fn" || ++count == 1)) {
				print $i
			}
		}
		on = 0
	}' "$man/$1" | sed 's/^\\&//; s/^"//; s/"$//'
}

lint() {
	mandoc -T lint "$man"/* 2>/dev/null | grep -v 'referenced manual not found' >"$work/lint"
	cat "$work/lint"
	[ ! -s "$work/lint" ]
}

# Lines of hand-written pages fit on a terminal of 80 columns.
fits() {
	local page
	for page in "$man"/*.[1347]; do
		mandoc -T utf8 -O width=78 "$page" | LC_ALL=C.UTF-8 col -bx | LC_ALL=C.UTF-8 grep -H --label="${page##*/}" '.\{81\}'
	done | tee "$work/wide"
	[ ! -s "$work/wide" ]
}

references() {
	local name section
	grep -h '^\.Xr d' "$man"/* | sort -u | while read -r _ name section _; do
		case $name in
		d | dwatch | dtrace*) [ -e "$man/$name.$section" ] || echo "$name($section)" ;;
		esac
	done | tee "$work/lost"
	[ ! -s "$work/lost" ]
}

# The options of the command are the options in its --help.
check_command() {
	"$dtrace" --help | sed -n 's/^\t-\([-a-zA-Z0-9]*\)  *-*\([0-9]*\).*/\1\n\2/p' | grep . >"$work/want"
	items dtrace.1 DESCRIPTION Fl | sed 's/^-\(help\|version\)$//' | grep . >"$work/got"
	same "options of the command"
	words option >"$work/want"
	items dtrace.1 OPTIONS Cm >"$work/got"
	same "options of -x"
	if has "words of options" mandoc col; then
		{ "$dtrace" --help | sed -n 's/^\t\(-[^\t]*\)/\1/p'; sed -n 's/^OPT(\([a-z]*\),.*, "\(.*\)")$/\1  \2/p' src/config/opts.def; } |
			sed 's/\\"/"/g' | tr '[:upper:]' '[:lower:]' >"$work/docs"
		ok "options in dtrace.1 begin with the words of the tables" nothing < <(
			mandoc -T ascii -O width=1000 "$man/dtrace.1" | col -bx | tr '[:upper:]' '[:lower:]' |
				awk -v docs="$work/docs" "$first_words")
	fi
}

# Prints the rows of docs, "NAME  TEXT" or "NAME NAME  TEXT", for which no item of a page begins with the text.
first_words='
/^     [^ ]/ {
	text = substr($0, 6)
	names = text
	sub(/  .*/, "", names)
	text = substr(text, length(names) + 1)
	n = split(names, name, /[ ,=]+/)
}
/^ +[^ ]/ {
	sub(/^ +/, "", text)
	if (text == "" && !/^     [^ ]/) {
		text = $0
		sub(/^ +/, "", text)
	}
	for (i = 1; i <= n && text != ""; i++)
		texts[name[i]] = texts[name[i]] "\n" text
	if (text != "")
		n = 0
}
END {
	while ((getline line <docs) > 0) {
		names = line
		sub(/  .*/, "", names)
		text = substr(line, length(names) + 3)
		sub(/[;:] .*/, "", text)
		split(names, name, " ")
		if (index(texts[name[1]], "\n" text) == 0)
			print line
	}
}'

# Prints a prototype as the page has it, without names of parameters.
prototypes() {
	awk '/^\.Sh / { inside = $0 == ".Sh SUBROUTINES" } inside && /^\.It Ft/' "$man/d.7" |
		sed 's/^\.It //; s/ , Ft /\nFt /g' | sed -E '
			s/^Ft "?([^"]*)"?( Ns)? Fn ([a-z0-9_]+) ?/\1 \3(/
			s/" "/,/g; s/"//g; s/$/)/
			s/([ *])[a-z]+(]?)([,)])/\1\2\3/g
			s/\(void\)/()/; s/ //g'
}

check_language() {
	{ words variable; rows "built-in variables"; } >"$work/want"
	items d.7 "BUILT-IN VARIABLES" Va >"$work/got"
	same "built-in variables"
	{ words subroutine; rows subroutines; } >"$work/want"
	items d.7 SUBROUTINES Fn >"$work/got"
	same subroutines
	awk -F '\t' '$1 == "subroutine" { print $3 }' "$work/words" | tr -d ' ' >"$work/want"
	sed -E 's/.*[ *]?\b([a-z0-9_]+)\(.*/\1/' "$work/want" >"$work/names"
	prototypes | grep -wFf "$work/names" >"$work/got"
	same "prototypes of subroutines"
	words action >"$work/want"
	items d.7 "TRACING ACTIONS" Fn >"$work/got"
	same actions
	words aggregating >"$work/want"
	items d.7 "AGGREGATING FUNCTIONS" Fn >"$work/got"
	same "aggregating functions"
	words extension | while read -r name; do
		grep -q "^| .*\`$name(" docs/extensions.md || echo "$name"
	done >"$work/got"
	ok "functions that only this D has, in docs/extensions.md" nothing <"$work/got"
	rows "conversions of printf" | sed 's/^%//' >"$work/want"
	items d.7 FORMATS Cm >"$work/got"
	same "conversions of printf"
	words keyword >"$work/want"
	sed -n '/^These words are reserved/,/^\.Ed/s/^\.Ic //p' "$man/d.7" | tr -d ' ' | tr , '\n' | grep . >"$work/got"
	same keywords
	rows faults | grep ^DTRACE >"$work/want"
	awk '/^\.Sh / { inside = $0 == ".Sh RUN-TIME ERRORS" } inside && /^\.It Dv/ { print $3 }' "$man/d.7" >"$work/got"
	same "run-time errors"
	rows losses | grep ^DTRACE >"$work/want"
	awk '/^\.Sh / { inside = $0 == ".Sh LOSSES" } inside && /^\.It Dv/ { print $3 }' "$man/d.7" >"$work/got"
	same losses
}

# Each provider has a page with all of its probes.
check_providers() {
	local probes=$work/probes
	cat dlib/*.d | tr '\n\t' '  ' | awk -f tools/probes.awk >"$probes"
	# probes.awk reads the libraries as text, and must find the probes that the front end finds.
	"$build/words" dlib/*.d | sed -n 's/^probe\t//p' >"$work/want"
	sed -E 's/PID\t/\t/; s/^([^\t]*\t)([^\t]*:)?([^\t]*).*/\1\3/' "$probes" >"$work/got"
	same "probes in the libraries"
	# The provider bio (completed requests) is described with io.
	{ words provider | grep -vx bio; cut -f 1 "$probes" | sed 's/PID$//'; } >"$work/want"
	(cd "$man" && ls dtrace_*.4) | sed 's/dtrace_\(.*\)\.4/\1/' >"$work/got"
	same providers
	sed -n 's/^\.Xr dtrace_\(.*\) 4.*/\1/p' "$man/dtrace.1" >"$work/got"
	same "references to providers"
	sed 's/PID\t/\t/' "$probes" | awk -F '\t' '{ print $1 " " $2 }' >"$work/want"
	awk '/^\.Sh / { inside = $0 == ".Sh PROBES" }
		inside && /^\.It Cm/ { p = FILENAME; gsub(/.*dtrace_|\.4$/, "", p); print p " " $3 }' \
		"$man"/dtrace_*.4 >"$work/got"
	same probes
}

# head_of TOOL EXPRESSION: prints its head before the examples, through sed.
head_of() {
	sed -E 's/^( \*|#) ?//; /^example:/q' "$1" | sed -nE "$2"
}

# headings TOOL: prints words of lines in its examples that have only words in capital letters.
headings() {
	local word='[A-Z%][A-Z%:-]*(\([a-z]+\)|\/s)?'
	sed -nE '/example:/,$s/^( \*|#)\t//p' "$1" | grep -Ex " *$word( +$word)+" | tr -s ' ' '\n' | grep .
}

nothing() {
	tee "$work/some"
	[ ! -s "$work/some" ]
}

# Each tool has a page, its usage lists its options, and columns in its examples are described.
check_tools() {
	local tool name
	for tool in scripts/*; do
		name=${tool##*/}
		[[ $name != *.sh ]] || continue
		ok "the page of $name" test -s "$man/$name.1dtrace"
		head_of "$tool" 's/^usage: //p' | grep -o -- ' \[-[^] ]*' | tr -d ' [-' | fold -w 1 | grep -vx h | sort >"$work/want"
		head_of "$tool" 's/^\t-(.).*/\1/p' | sort >"$work/got"
		ok "options of $name: < in its usage, > in its list" diff "$work/want" "$work/got"
		headings "$tool" | sort -u >"$work/want"
		head_of "$tool" 's/^\t([^\t]+)\t.*/\1/p' | sort -u >"$work/got"
		ok "columns of $name that nothing tells of" nothing < <(comm -23 "$work/want" "$work/got")
	done
}

# examples PAGE: prints them as the page shows them, each ended by a line with a dot.
examples() {
	mandoc -T ascii -O width=200 "$1" | col -bx | awk '
	/^ +# d(trace|watch)/ { on = 1; quotes = 0; sub(/^ +# /, "") }
	on {
		print
		quotes += gsub(/\047/, "&")
		if (quotes % 2 == 0) {
			on = 0
			print "."
		}
	}'
}

check_examples() {
	local page line command count absent
	for page in "$man"/d*.[147]; do
		command=
		count=0
		# Not every kernel has these probes, and not every machine the programs.
		absent=
		[[ $page != *_@(fbt|kinst|usdt).4 ]] || absent=-Z
		while IFS= read -r line; do
			if [ "$line" != . ]; then
				command+=$line$'\n'
				continue
			fi
			count=$((count + 1))
			ok "${page##*/}: $command" eval "timeout 20 $dtrace -e $absent ${command#dtrace}"
			command=
		done < <(examples "$page")
		[ "${page##*/}" = dwatch.1 ] || ok "${page##*/} has two examples" test $count -ge 2
	done
}

"$build/words" >"$work/words" || exit 2
ok "references from page to page" references
check_command
check_language
check_providers
check_tools
if has "well-formed pages, width of pages, examples" mandoc col; then
	ok "well-formed pages" lint
	ok "width of pages" fits
	# Only root sees all symbols of the kernel.
	if [ "$(id -u)" = 0 ]; then
		check_examples
	else
		skipped=$((skipped + 1))
		echo "skipped (needs root): examples"
	fi
fi
echo "$skipped skipped, 0 on the second run only"
echo "man: $passed passed, $failed failed"
[ $failed = 0 ]
