# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Completion of dtrace(1), dwatch(1) and the tools for bash.  The commands themselves tell what there
# is: descriptions of probes and options of -x (dtrace --complete), profiles (dwatch -Q1), options of
# tools (-h).  This file is found by the name of each of them.
#
# Bash takes what follows the last character of COMP_WORDBREAKS for the word, so that the rest of it,
# up to a colon or an equals sign, is taken away from what it is given, unless a quote is open: then
# the word is what follows that.

# Words of the line up to the cursor, without their quotes: all but the last in words, that in word,
# of which before stands in front of an open quote.
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

# _dtrace_option LETTERS: of an option with an argument, one of the letters, that is what the word is
# for: in option, with what of the word is not the argument in front.  Others may stand in front of it (-qn).
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

# _dtrace_from COMMAND ARGUMENT...: lines that it prints.
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

# What bash wants: without what it does not take for a part of the word.
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

# _dtrace_described WORD...: descriptions of probes, of targets too where there is a -E.
_dtrace_described()
{
	local targets=
	[[ " ${words[*]:1} $front" != *' -'*([[:alnum:]])E* ]] || targets=-E
	_dtrace_from "$1" ${targets:+"$targets"} --complete "${option:1}" -- "$word"
	# Behind a single one bash would close the quote, though there is more to come.
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
	-s | -o | --save | --flame | --heat | --html | --from | --perfetto | --chrome) _dtrace_files -f ;;
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

# Programs of others may have the name of a tool.
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
