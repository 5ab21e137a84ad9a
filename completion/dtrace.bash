# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Completion of dtrace(1), dwatch(1) and the tools for bash.  The commands list the words: options (dtrace
# --help), descriptions of probes and options of -x (dtrace --complete), profiles (dwatch -Q1), options of
# tools (their heads).  bash loads this file under the name of each command.
#
# bash replaces only the text after the last character of COMP_WORDBREAKS in the word, such as a colon or
# an equals sign, so replies leave out the text up to it.  If a quote is open, bash replaces the text after
# the quote.

# Splits the line up to the cursor, and removes quotes.  The last word goes to word, the others to words.
# If a quote is open, before is the text of the last word before it.
_dtrace_split()
{
	local line=${COMP_LINE:0:COMP_POINT} c i some=
	words=() word='' quote='' before=''
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [[ $c == "$quote" ]]; then
			quote=
		elif [[ -n $quote ]]; then
			word+=$c
		elif [[ $c == [\'\"] ]]; then
			quote=$c before=$word some=1
		elif [[ $c == [[:blank:]] ]]; then
			[[ -z $some$word ]] || words+=("$word")
			word='' some=
		elif [[ $c == \\ ]]; then
			((++i))
			word+=${line:i:1}
		else
			word+=$c
		fi
	done
}

# _dtrace_option LETTERS: sets option to the option whose argument the word is.  LETTERS are the options
# with an argument; other options can precede one in its word (-qn).  front gets the word up to the argument.
_dtrace_option()
{
	local with=$1 last flags
	option='' front=''
	if [[ $word == -[!-]* ]]; then
		flags=${word%%["$with"]*}
		[[ ${#word} -gt $((${#flags} + 1)) ]] || return
		front=${word:0:${#flags}+1} option=-${word:${#flags}:1}
		word=${word:${#front}}
		return
	fi
	last=${words[${#words[@]}-1]}
	case $last in
	--*) option=$last ;;
	-*)
		flags=${last%%["$with"]*}
		[[ ${#last} -ne $((${#flags} + 1)) ]] || option=-${last:${#flags}:1}
		;;
	esac
}

# _dtrace_from COMMAND ARGUMENT...: replies with the lines that the command prints.
_dtrace_from()
{
	mapfile -t COMPREPLY < <("$@" 2>/dev/null)
}

_dtrace_files()
{
	compopt -o filenames
	_dtrace_from compgen "$1" -- "$word"
}

_dtrace_pids()
{
	_dtrace_from compgen -W "$(cd /proc && echo [0-9]*)" -- "$word"
}

# Adapts the replies to the text that bash replaces.
_dtrace_reply()
{
	local breaks kept
	[[ ${COMPREPLY[*]} != *[:=] && ${COMPREPLY[*]} != *[:=]\ * ]] || compopt -o nospace
	if [[ -n $quote ]]; then
		front=${front#"$before"}
	else
		breaks=${COMP_WORDBREAKS//[!:=]/}
		kept=${word%"${word##*["${breaks:-/}"]}"}
		[[ -n $breaks ]] || kept=
		[[ -z $kept ]] || front=
		COMPREPLY=("${COMPREPLY[@]#"$kept"}")
	fi
	COMPREPLY=("${COMPREPLY[@]/#/$front}")
}

# _dtrace_described COMMAND: replies with the argument of an option; with -E in the line, descriptions can
# name targets.
_dtrace_described()
{
	local targets=
	[[ " ${words[*]:1} $front" != *' -'*([[:alnum:]])E* ]] || targets=-E
	_dtrace_from "$1" ${targets:+"$targets"} --complete "${option:1}" -- "$word"
	# After a single reply bash closes the quote, so an unfinished one is completed further.
	while [[ -n $quote && ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *[:=] && ${COMPREPLY[0]} != "$word" ]]; do
		word=${COMPREPLY[0]}
		_dtrace_from "$1" ${targets:+"$targets"} --complete "${option:1}" -- "$word"
		[[ ${#COMPREPLY[@]} != 0 ]] || COMPREPLY=("$word")
	done
}

_dtrace()
{
	local words word quote before option front
	_dtrace_split
	_dtrace_option bcDfiILmnopPsUxX
	COMPREPLY=()
	case $option in
	-[Pmfnx]) _dtrace_described "$1" ;;
	-L | -I | --ctf) _dtrace_files -d ;;
	-p) _dtrace_pids ;;
	-c) _dtrace_from compgen -c -- "$word" ;;
	-X) _dtrace_from compgen -W 'a c s t' -- "$word" ;;
	--libxo) _dtrace_from compgen -W 'json jsonl xml html chrome text' -- "$word" ;;
	--complete) _dtrace_from compgen -W 'P m f n x' -- "$word" ;;
	-[biDU] | --metrics | --otlp) ;;
	*)
		if [[ $word == -* ]]; then
			_dtrace_from compgen -W "$("$1" --help |
				sed -n 's/^\t\(-[^ ]*\) *\(-[^ ]*\)*  .*/\1 \2/p')" -- "$word"
		else
			_dtrace_files -f
		fi
		;;
	esac
	_dtrace_reply
}

_dtrace_names()
{
	_dtrace_from compgen -W "$(cat /proc/[0-9]*/comm 2>/dev/null)" -- "$word"
}

_dtrace_watch()
{
	local words word quote before option front kind=n
	_dtrace_split
	_dtrace_option BEgjkKNoOprtTuXz
	COMPREPLY=()
	case $option in
	-X) _dtrace_from compgen -W "$("$1" -Q1 2>/dev/null)" -- "$word" ;;
	-o) _dtrace_files -f ;;
	-p) _dtrace_pids ;;
	-u) _dtrace_from compgen -u -- "$word" ;;
	-g) _dtrace_from compgen -g -- "$word" ;;
	-k) _dtrace_names ;;
	-O) _dtrace_from compgen -c -- "$word" ;;
	-?) ;;
	*)
		if [[ $word == -* ]]; then
			_dtrace_from compgen -W "$("$1" -h | grep -o -- '[[ ]-[[:alnum:]]\+' |
				tr -d '[ -' | fold -w 1 | sort -u | sed 's/^/-/')" -- "$word"
		else
			[[ " ${words[*]}" =~ \ -[1lqy]*([fmP]) ]] && kind=${BASH_REMATCH[1]}
			option=-$kind
			_dtrace_described dtrace
		fi
		;;
	esac
	_dtrace_reply
}

# Completes the options of a tool from its head.  Other programs can have its name.
_dtrace_tool()
{
	local words word quote before option front usage path
	COMPREPLY=()
	path=$(readlink -f "$(type -P -- "$1")")
	if [[ ! -e ${path%/*}/tool.sh ]]; then
		compopt -o default
		return
	fi
	usage=$(sed -n '/^# example:/q; s/^#\(\t.*\)/\1/p' "$path")
	_dtrace_split
	_dtrace_option "=$(sed -n 's/^\t-\(.\) [a-z]*\t.*/\1/p' <<<"$usage" | tr -d '\n')"
	case $(sed -n "s/^\t${option:-none} \([a-z]*\)\t.*/\1/p" <<<"$usage") in
	pid) _dtrace_pids ;;
	name) _dtrace_names ;;
	file) _dtrace_files -f ;;
	mount) _dtrace_files -d ;;
	'')
		if [[ $word == -* ]]; then
			_dtrace_from compgen -W "-h $(sed -n 's/^\t\(-.\)[ \t].*/\1/p' <<<"$usage")" -- "$word"
		elif grep -q '^	command	' <<<"$usage"; then
			_dtrace_from compgen -c -- "$word"
		fi
		;;
	esac
	_dtrace_reply
}

case ${BASH_SOURCE[0]##*/} in
dtrace | dtrace.bash) complete -F _dtrace dtrace ;;&
dwatch | dtrace.bash) complete -F _dtrace_watch dwatch ;;
dtrace) ;;
*) complete -F _dtrace_tool "${BASH_SOURCE[0]##*/}" ;;
esac
