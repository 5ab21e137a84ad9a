#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# editors.sh vim|vscode WORDS LIBRARY...: prints the syntax of D for an editor, with the output of the program WORDS
# and the variables and functions of D libraries.
set -eu
editor=$1
words=$("$2" "${@:3}")

of() {
	printf '%s\n' "$words" | awk -F '\t' -v kind="$1" '$1 == kind { print $2 }' | sort -u
}

# Names of libraries that programs use like built-in names.  Constants are left out, and so are internal names,
# which begin with the library's name.
library() {
	of declared | grep "$1"
}

variables() {
	of variable
	printf '%s\n' args
	library '^\(chip\|cur.*\|cwd\|execargs\|fds\|jailname\|jid\|lgrp\|pset\|root\|zonename\)$'
}

functions() {
	of subroutine
	library '^\(getf\|mutex_\(own\|type\).*\|rw_.*\)$'
}

constants() {
	library '^[A-Z][A-Z0-9_]*$'
}

types() {
	# Types of C that are no keywords of D are matched by their ending.
	printf '%s\n' char double float int long short signed string unsigned userland void
}

keywords() {
	of keyword | grep -vxF -e "$(types)"
}

joined() {
	tr '\n' "$1" | sed "s/.\$//"
}

vim_words() {
	printf 'syn keyword %s %s\n' "$1" "$(joined ' ')" | fold -s -w 96 | sed 's/ *$//; 2,$s/^/\t\\ /'
}

vim_syntax() {
	cat <<'END'
" SPDX-License-Identifier: BSD-2-Clause
" Vim syntax file of D, the language of dtrace(1).  Made by `make docs`.
if exists("b:current_syntax")
	finish
endif
" A line that begins with a backslash continues the line before, even if Vim is compatible with vi.
let s:options = &cpo
set cpo&vim

END
	keywords | vim_words dtraceStatement
	types | vim_words dtraceType
	variables | vim_words dtraceVariable
	functions | vim_words dtraceFunction
	of action | grep -vx return | vim_words dtraceAction
	of aggregating | vim_words dtraceAggregating
	constants | vim_words dtraceConstant
	of option | vim_words 'dtraceOption contained'
	cat <<'END'
syn match dtraceType "\<\h\w*_t\>"
syn match dtraceMacro "\$\$\=\(\d\+\|\a\+\)"
syn match dtraceAggregation "@\w*"
syn match dtraceKernel "`\h\w*"
syn match dtraceNumber "\<\(0[xX]\x\+\|\d\+\)[uUlL]*\>"
syn match dtraceEscape contained "\\\(x\x\+\|\o\{1,3}\|.\)"
syn match dtraceFormat contained "%[-#+ 0'?@]*\(\*\|\d*\)\(\.\(\*\|\d*\)\)\=\(hh\|ll\|[hlLw]\)\=[aAcCdeEfgGiIkopPsSTuxXY%]"
syn region dtraceString start=+"+ skip=+\\"+ end=+"+ oneline contains=dtraceEscape,dtraceFormat
syn region dtraceCharacter start=+'+ skip=+\\'+ end=+'+ oneline contains=dtraceEscape
syn region dtraceComment start="/\*" end="\*/" contains=@Spell
syn match dtraceComment "//.*" contains=@Spell
syn match dtraceComment "\%^#!.*"
syn region dtracePragma start="^\s*#\s*\(pragma\|line\|error\|ident\|include\|define\|undef\|if\|ifdef\|ifndef\|else\|endif\)\>" end="$" contains=dtraceOption,dtraceString
" A description, and descriptions after a comma; a predicate on a line of its own.
syn match dtraceProbe "^[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceProbe ",\s*\zs[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceProbe "\(\<\(site\|from\)\s\+\)\@<=[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceStatement "\<\(site\|from\)\ze\s\+[-$a-zA-Z0-9_.?*\[\]!`+]*:"
syn match dtraceStatement "\<and\ze\s\+from\>"
syn match dtraceProbe "^\(BEGIN\|END\|ERROR\|tick-\w\+\|profile-\w\+\)\>"
syn match dtracePredicate "^/\ze[^/*]"
syn match dtracePredicate "\S\zs/$"

hi def link dtraceStatement Statement
hi def link dtraceType Type
hi def link dtraceVariable Identifier
hi def link dtraceFunction Function
hi def link dtraceAction Function
hi def link dtraceAggregating Function
hi def link dtraceConstant Constant
hi def link dtraceOption Special
hi def link dtraceMacro Macro
hi def link dtraceAggregation Identifier
hi def link dtraceKernel Identifier
hi def link dtraceNumber Number
hi def link dtraceEscape SpecialChar
hi def link dtraceFormat SpecialChar
hi def link dtraceString String
hi def link dtraceCharacter Character
hi def link dtraceComment Comment
hi def link dtracePragma PreProc
hi def link dtraceProbe Label
hi def link dtracePredicate Delimiter

let b:current_syntax = "dtrace"
let &cpo = s:options
unlet s:options
END
}

# rule SCOPE PATTERN [LAST]
rule() {
	printf '\t\t{ "name": "%s.dtrace", "match": "%s" }%s\n' "$1" "$2" "${3-,}"
}

word_rule() {
	rule "$1" "\\\\b($(joined '|'))\\\\b"
}

vscode_syntax() {
	cat <<'END'
{
	"name": "D (dtrace)",
	"scopeName": "source.dtrace",
	"comment": "Made by make docs.  SPDX-License-Identifier: BSD-2-Clause",
	"fileTypes": ["d"],
	"firstLineMatch": "^#!.*\\bdtrace\\b",
	"patterns": [
		{ "name": "comment.block.dtrace", "begin": "/\\*", "end": "\\*/" },
		{ "name": "comment.line.dtrace", "match": "(//.*|^#!.*)$" },
		{
			"name": "string.quoted.double.dtrace", "begin": "\"", "end": "\"",
			"patterns": [
				{ "name": "constant.character.escape.dtrace", "match": "\\\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)" },
				{ "name": "constant.other.placeholder.dtrace", "match": "%[-#+ 0'?@]*(\\*|[0-9]*)(\\.(\\*|[0-9]*))?(hh|ll|[hlLw])?[aAcCdeEfgGiIkopPsSTuxXY%]" }
			]
		},
		{ "name": "string.quoted.single.dtrace", "match": "'(\\\\.|[^'\\\\])+'" },
END
	rule meta.preprocessor '^\\s*#\\s*(pragma|line|error|ident|include|define|undef|if|ifdef|ifndef|else|endif)\\b.*$'
	rule entity.name.function.probe '(^|,\\s*)[-$a-zA-Z_.?*\\[\\]!][-$a-zA-Z0-9_.?*\\[\\]!`+]*:[^ \\t,/{;]*'
	rule entity.name.function.probe '(?<=\\bsite\\s|\\bfrom\\s)[-$a-zA-Z_.?*\\[\\]!][-$a-zA-Z0-9_.?*\\[\\]!`+]*:[^ \\t,/{;]*'
	rule keyword.control '\\b(site|from)(?=\\s+[-$a-zA-Z0-9_.?*\\[\\]!`+]*:)|\\band(?=\\s+from\\b)'
	rule entity.name.function.probe '^(BEGIN|END|ERROR|tick-\\w+|profile-\\w+)\\b'
	keywords | word_rule keyword.control
	types | word_rule storage.type
	rule storage.type '\\b[a-zA-Z_]\\w*_t\\b'
	variables | word_rule variable.language
	functions | word_rule support.function
	of action | grep -vx return | word_rule support.function.action
	of aggregating | word_rule support.function.aggregating
	constants | word_rule constant.language
	rule variable.parameter '\\$\\$?([0-9]+|[a-z]+)'
	rule variable.other.aggregation '@\\w*'
	rule variable.other.kernel '`[a-zA-Z_]\\w*'
	rule constant.numeric '\\b(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\\b' ''
	printf '\t]\n}\n'
}

"${editor}_syntax"
