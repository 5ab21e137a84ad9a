#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# manual.sh PAGE PROBES LIBRARY...: prints a manual page, with facts from D libraries and tables instead of these lines:
#
#	.\" probes PROVIDER	the list of the provider's probes, their arguments and sites
#	.\" type NAME		the members of a structure, with their comments
#	.\" options unused	the options without effect, with the reasons
#
# PROBES is the output of probes.awk for the libraries.
set -eu
page=$1
rows=$2
shift 2
cat "$@" | awk -v rows="$rows" -v page="$page" '
function fires(sites,	alt, list, n, m, i, j) {
	gsub(/`/, "", sites)
	if (sites == "")
		print "Never fires on Linux."
	n = split(sites, alt, " else ")
	for (i = 1; i <= n; i++) {
		if (i > 1)
			print "or else"
		m = split(alt[i], list, ", ")
		for (j = 1; j <= m; j++)
			print ".Li " list[j] (j < m ? " ," : "")
	}
}
function probes(prov,	line, f, found) {
	print ".Bl -tag -width Ds"
	while ((getline line <rows) > 0) {
		split(line, f, "\t")
		if (f[1] != prov)
			continue
		found = 1
		print ".It Cm " f[2] (f[3] == "" || f[3] == "void" ? "" : " Pq Vt \"" f[3] "\"")
		fires(f[4])
	}
	close(rows)
	print ".El"
	if (!found)
		die("no provider " prov)
}
function type(name,	line, n, i, decl, says, member) {
	if (!(name in body))
		die("no type " name)
	print ".Ss " name "\n.Bl -tag -width Ds -compact"
	n = split(body[name], line, "\n")
	for (i = 2; i < n - 1; i++) {
		decl = says = line[i]
		sub(/;.*/, "", decl)
		gsub(/^\t/, "", decl)
		if (!sub(/.*\/\* /, "", says))
			die("no comment on " decl " of " name)
		sub(/ \*\/.*/, "", says)
		match(decl, /[a-z_0-9]+(\)\([a-z *]*\))?$/)
		member = substr(decl, RSTART)
		print ".It Vt \"" substr(decl, 1, RSTART - 1) "\" Ns Va " member "\n" says
	}
	print ".El"
}
function options(	line, f, name, found) {
	print ".Bl -tag -width Ds -compact"
	while ((getline line <"src/config/opts.def") > 0) {
		if (line !~ /^OPT_UNUSED\(/)
			continue
		found = 1
		split(line, f, "\"")
		name = substr(line, index(line, "(") + 1)
		sub(/,.*/, "", name)
		print ".It Cm " name "\n" toupper(substr(f[2], 1, 1)) substr(f[2], 2) "."
	}
	print ".El"
	if (!found)
		die("no options without effect")
}
function die(why) { print page ": " why >"/dev/stderr"; failed = 1; exit 1 }
/^(typedef )?(struct|union) [A-Za-z_0-9]+ \{$/ { text = ""; tag = $(NF - 1) }
{ text = text $0 "\n" }
/^\}/ {
	name = $0
	gsub(/[} ;]/, "", name)
	if (tag != "")
		body[name == "" ? tag : name] = text
	tag = ""
}
END {
	while (!failed && (getline line <page) > 0) {
		split(line, word, " ")
		if (line ~ /^\.\\" probes /)
			probes(word[3])
		else if (line ~ /^\.\\" type /)
			type(word[3])
		else if (line ~ /^\.\\" options unused/)
			options()
		else
			print line
	}
	exit failed
}'
