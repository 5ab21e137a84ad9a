# SPDX-License-Identifier: BSD-2-Clause
#
# probes.awk: reads D libraries as one line and prints a row for each probe that they declare: provider, probe,
# arguments, sites, separated by tabs.  Sites of one alternative are separated by ", ", alternatives by " else ".
# It reads text, because the front end's index (src/lang/index.c) has neither arguments nor sites, and because manuals
# are also built for machines whose dtrace cannot run here.  `make man-check` compares the probes with the index.
function trim(s) { gsub(/^ +| +$/, "", s); gsub(/  +/, " ", s); return s }
# Returns the text that follows the matching brace.
function skip_body(s,	i, depth, c) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		depth += (c == "{") - (c == "}")
		if (c == "}" && depth == 0)
			return substr(s, i + 1)
	}
	return ""
}
function types(s,	list, n, i, t, out) {
	n = split(s, list, ",")
	for (i = 1; i <= n; i++) {
		t = trim(list[i])
		if (t ~ /[ *][A-Za-z_0-9]+$/ && t !~ /^(struct|union|enum|unsigned|long) [a-z_]+$/)
			sub(/[A-Za-z_0-9]+$/, "", t)
		out = out (i > 1 ? ", " : "") trim(t)
	}
	return out
}
function provider(name, body,	decl, args, probe) {
	while (match(body, /probe +[^;]*;/)) {
		decl = substr(body, RSTART + 6, RLENGTH - 7)
		body = substr(body, RSTART + RLENGTH)
		probe = trim(substr(decl, 1, index(decl, "(") - 1))
		gsub(/__/, "-", probe)
		args = substr(decl, index(decl, "(") + 1)
		if (match(args, /\) *: *\(/))
			args = substr(args, RSTART + RLENGTH)
		sub(/\)[^)]*$/, "", args)
		print name "\t" probe "\t" types(args) "\t" sites_of(name, probe)
	}
}
function sites_of(prov, probe,	i, full, out, glob) {
	full = prov (probe ~ /:/ ? ":" : ":::") probe
	for (i = 1; i <= nsites; i++) {
		glob = "^" site[i] "$"
		gsub(/\*/, ".*", glob)
		if (full ~ glob && index(out, where[i]) == 0)
			out = out (out == "" ? "" : ", ") where[i]
	}
	return out
}
function place(s) {
	sub(/ for \(.*/, "", s)
	sub(/ \/.*/, "", s)
	gsub(/ *, */, ", ", s)
	return "`" trim(s) "`"
}
{
	text = $0
	gsub(/\$target/, "PID", text)
	while (match(text, /\/\*/)) {
		rest = substr(text, RSTART + 2)
		text = substr(text, 1, RSTART - 1) " " substr(rest, index(rest, "*/") + 2)
	}
	all = text
	while (match(text, /(^| )site +[^ ]+ from [^{]*\{/)) {
		head = trim(substr(text, RSTART, RLENGTH - 1))
		text = skip_body(substr(text, RSTART + RLENGTH - 1))
		split(head, word, " ")
		site[++nsites] = word[2]
		sub(/^site +[^ ]+ from /, "", head)
		where[nsites] = place(head)
		while (match(text, /^ *(else|and) from [^{]*\{/)) {
			head = trim(substr(text, RSTART, RLENGTH - 1))
			text = skip_body(substr(text, RSTART + RLENGTH - 1))
			join = head ~ /^else/ ? " else " : ", "
			sub(/^(else|and) from /, "", head)
			if (index(where[nsites], place(head)) == 0)
				where[nsites] = where[nsites] join place(head)
		}
	}
	while (match(all, /(^| )provider +[a-zA-Z_0-9]+ *\{/)) {
		head = trim(substr(all, RSTART, RLENGTH - 1))
		all = substr(all, RSTART + RLENGTH)
		body = all
		sub(/\};.*/, "", body)
		sub(/^provider +/, "", head)
		provider(head, body)
	}
}
