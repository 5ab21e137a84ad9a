# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Completion of dtrace(1) for bash.  The command itself tells what descriptions of probes and options
# of -x may become (--complete).
#
# Bash takes what follows the last character of COMP_WORDBREAKS for the word, so that the rest of it,
# up to a colon or an equals sign, is taken away from what it is given, unless the word is quoted.

_dtrace()
{
	local line=${COMP_LINE:0:COMP_POINT} word option quote='' front='' before
	word=${line##*[[:blank:]]}
	before=${line%"$word"}
	before=${before%"${before##*[![:blank:]]}"}
	option=${before##*[[:blank:]]}
	if [[ $word == -[PmfnxsLIop]?* && $word != --* ]]; then
		option=${word:0:2}
		front=$option
		word=${word:2}
	fi
	case $word in
	\'* | \"*) quote=${word:0:1} word=${word:1} ;;
	esac
	COMPREPLY=()
	case $option in
	-[Pmfnx])
		mapfile -t COMPREPLY < <("$1" --complete "${option:1}" -- "$word" 2>/dev/null)
		;;
	-s | -o | --flame | --heat | --html | --from)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		;;
	-L | -I)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		;;
	-p)
		mapfile -t COMPREPLY < <(cd /proc && compgen -d -X '!+([0-9])' -- "$word")
		;;
	-c)
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
		;;
	-X)
		mapfile -t COMPREPLY < <(compgen -W 'a c s t' -- "$word")
		;;
	--libxo)
		mapfile -t COMPREPLY < <(compgen -W 'json jsonl xml html text' -- "$word")
		;;
	-[biDU] | --complete | --metrics | --otlp) ;;
	*)
		if [[ $word == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$("$1" --help |
				sed -n 's/^\t\(-[^ ]*\) *\(-[^ ]*\)*  .*/\1 \2/p')" -- "$word")
		else
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		fi
		;;
	esac
	[[ ${COMPREPLY[*]} != *[:=] && ${COMPREPLY[*]} != *[:=]\ * ]] || compopt -o nospace
	if [ -z "$quote" ]; then
		local break=${COMP_WORDBREAKS//[!:=]/}
		local kept=${word%"${word##*["${break:-/}"]}"}
		[ -n "$break" ] || kept=
		[ -z "$kept" ] || front=
		COMPREPLY=("${COMPREPLY[@]#"$kept"}")
	fi
	COMPREPLY=("${COMPREPLY[@]/#/$front}")
}

complete -F _dtrace dtrace
