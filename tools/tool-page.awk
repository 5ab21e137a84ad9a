# SPDX-License-Identifier: BSD-2-Clause
#
# tool-page.awk: turns the head of a tool into a manual page.  See tool-page.sh, which sets the variables tool and
# providers.

function die(why)
{
	print tool ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function escaped(s)
{
	gsub(/\\/, "\\e", s)
	if (s ~ /^[.\047]/)
		s = "\\&" s
	return s
}

# Each sentence begins a line, and lines are short.
function fill(s,	list, n, i, line)
{
	n = split(s, list, " ")
	for (i = 1; i <= n; i++) {
		if (line != "" && (line ~ /[.:;?]$/ || length(line " " list[i]) > 78)) {
			print escaped(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") list[i]
	}
	if (line != "")
		print escaped(line)
}

# Prints a synopsis such as [-ab] [-n name] [interval [count]] as macros.
function synopsis(s,	list, n, i, line, depth)
{
	n = split(s, list, " ")
	for (i = 1; i <= n; i++) {
		while (sub(/^\[/, "", list[i])) {
			line = line (depth++ ? " " : ".") "Op"
		}
		line = line (line == "" ? "." : " ") (sub(/^-/, "", list[i]) ? "Fl \\&" : "Ar ")
		while (sub(/\]$/, "", list[i]))
			depth--
		line = line list[i]
		if (!depth) {
			print line
			line = ""
		}
	}
}

function rows(title, row, n,	i, f)
{
	if (!n)
		return
	print ".Pp\n" title "\n.Bl -tag -width Ds"
	for (i = 1; i <= n; i++) {
		split(row[i], f, "\t")
		if (f[2] ~ /^-/)
			print ".It Fl " substr(f[2], 2, 1) (length(f[2]) > 2 ? " Ar " substr(f[2], 4) : "")
		else
			print ".It " (f[2] ~ /^[a-z]+$/ ? "Ar " : "Cm \\&") f[2]
		fill(toupper(substr(f[3], 1, 1)) substr(f[3], 2) ".")
	}
	print ".El"
}

# The text that follows decides the kind of a line.
part == "" && /^[^ ]*: / { part = "name"; what = substr($0, index($0, ":") + 2); next }
part == "name" && NF { what = what " " $0; next }
part == "name" { part = "text"; next }
/^usage: / { usage = substr($0, 8); next }
/^example: / {
	part = "example"
	example[++nexamples] = "# " substr($0, 10)
	next
}
part == "example" {
	sub(/^\t/, "")
	if (!NF && example[nexamples] !~ /\n/)
		next
	example[nexamples] = example[nexamples] "\n" $0
	next
}
/^\t(-|[a-z]+\t)/ { option[++noptions] = $0; next }
/^\t[^\t]+\t/ { column[++ncolumns] = $0; next }
NF { text[ntexts] = text[ntexts] " " $0; next }
{ ntexts++ }

END {
	if (failed)
		exit 1
	if (!usage || !nexamples)
		die("its head has no usage, or no example")
	sub(/\.$/, "", what)
	print ".\\\" SPDX-License-Identifier: BSD-2-Clause\n.Dd November 23, 2026\n.ds doc-volume-operating-system Linux\n.ds doc-default-operating-system Linux\n.Dt " toupper(tool) " 1\n.Os"
	print ".Sh NAME\n.Nm " tool "\n.Nd " what "\n.Sh SYNOPSIS"
	split(usage, word, " ")
	print word[1] == "dtrace" ? ".Nm dtrace Fl \\&" substr(word[2], 2) " Pa " tool : ".Nm"
	sub(/^(dtrace -[^ ]+ )?[^ ]+ ?/, "", usage)
	synopsis(usage)
	print ".Sh DESCRIPTION\n.Nm " tool
	fill("shows " what ".")
	for (i = 0; i <= ntexts; i++) {
		if (text[i] == "")
			continue
		print ".Pp"
		fill(text[i])
	}
	rows("The options and operands:", option, noptions)
	rows("The columns:", column, ncolumns)
	print ".Sh EXAMPLES"
	for (i = 1; i <= nexamples; i++) {
		print (i > 1 ? ".Pp\n" : "") ".Bd -literal"
		n = split(example[i], line, "\n")
		while (n && line[n] == "")
			n--
		for (j = 1; j <= n; j++)
			print escaped(line[j])
		print ".Ed"
	}
	print ".Sh SEE ALSO"
	n = split("dtrace 1" providers " d 7", page, " ")
	for (i = 1; i < n; i += 2)
		print ".Xr " page[i] " " page[i + 1] (i + 1 < n ? " ," : "")
	print ".Pp"
	print ".Pa docs/symptoms.md"
	print "names the tool for each symptom of a slow or failing system."
}
