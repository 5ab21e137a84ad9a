# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# tool.sh: what the tools share; a tool sources it and calls run with its program in D.
#
# The head of a tool is what -h prints, what its page of the manual is made of (tools/tool-page.sh), and what is read
# here, up to its example: how the tool is called, and a line for each option and operand:
#
#	# usage: name [-hx] [-n name] [interval [count]]
#	#
#	#	-n name	what it means
#	#	-x	what it means
#	#	interval	what it means
#
# They become $opt_n and $opt_interval; in D, inlines of the same names.  Without a value an option is
# 0 or 1.  A value is a number (is_number) by its name, else a string; what is not given is 0 or "".  Strings reach D as macro
# arguments, so what a user types is never a part of a program.
#
# In D there is also `ours`: whether it is about the process of -p, with the name of -n (not that of the thread), and not dtrace itself.  An
# operand called command is the rest of the line: it is run, and `ours`.

tool=${0##*/}
dtrace=${DTRACE:-dtrace}
PATH=$PATH:/usr/sbin

# head_of EXPRESSION: the head of the tool, as far as it is read, through sed.
head_of() {
	sed -n -e '/^#/!q' -e '/^# example:/q' -e "$1" "$0"
}

usage() {
	head_of 's/^# \(usage:.*\)/\1/p; s/^#\(	-.*\)/\1/p; s/^#\(	[a-z][a-z]*	.*\)/\1/p'
}

refuse() {
	echo "$tool: $1" >&2
	usage >&2
	exit 2
}

die() {
	echo "$tool: $1" >&2
	exit 1
}

# is_number NAME: whether values that the head calls so are numbers.
is_number() {
	case $1 in
	pid | port | interval | count | seconds | signal | top | hz | us | ms | frames | bytes) ;;
	*) false ;;
	esac
}

# is_possible NAME: whether $value can be one.  0 in the program is what was not given.
is_possible() {
	case $1 in
	pid) [ -d "/proc/$value" ] ;;
	port) [ "$value" -ge 1 ] && [ "$value" -le 65535 ] ;;
	signal) [ "$value" -ge 1 ] && [ "$value" -le 64 ] ;;
	hz) [ "$value" -ge 1 ] ;;
	esac
}

# assign VARIABLE NAME VALUE: a value as the user typed it.
assign() {
	value=$3
	if is_number "$2"; then
		case $value in
		'' | *[!0-9]* | ??????????*) refuse "not a number: $value" ;;
		esac
		# In D a 0 in front makes it octal.
		while [ "${#value}" -gt 1 ] && [ "${value#0}" != "$value" ]; do
			value=${value#0}
		done
		is_possible "$2" || refuse "no $2: $value"
	elif [ -z "$value" ]; then
		refuse "no $2 is given"
	elif [ "$2" = name ]; then
		# The kernel keeps no more of it.
		value=$(printf %.15s "$value")
	fi
	eval "$1=\$value"
}

# What the head declares, VARIABLE=NAME each: of an option without a value the name is flag.
declared=$(head_of 's/^#	-\(.\)	.*/opt_\1=flag/p; s/^#	-\(.\) \([a-z]*\)	.*/opt_\1=\2/p; s/^#	\([a-z][a-z]*\)	.*/opt_\1=\1/p')

letters=:h
operands=
for row in $declared; do
	variable=${row%=*} kind=${row#*=}
	case $row in
	opt_?=flag) letters=$letters${variable#opt_} ;;
	opt_?=*) letters=$letters${variable#opt_}: ;;
	*) operands="$operands $kind" ;;
	esac
	if [ "$kind" = flag ] || is_number "$kind"; then
		eval "$variable=0"
	else
		eval "$variable="
	fi
	eval "kind_${variable#opt_}=$kind"
done

while getopts "$letters" letter; do
	case $letter in
	h)
		usage
		exit 0
		;;
	:) refuse "-$OPTARG wants a value" ;;
	\?) refuse "no option -$OPTARG" ;;
	*)
		eval "kind=\$kind_$letter"
		if [ "$kind" = flag ]; then
			eval "opt_$letter=1"
		else
			assign "opt_$letter" "$kind" "$OPTARG"
		fi
		;;
	esac
done
shift $((OPTIND - 1))
for operand in $operands; do
	[ $# -gt 0 ] || break
	if [ "$operand" = command ]; then
		# dtrace takes it apart at blanks.
		for word; do
			case $word in
			'' | *[[:space:]]*) refuse "the command has a blank in '$word'; a script may have that" ;;
			esac
		done
		opt_command=$*
		shift $#
		break
	fi
	assign "opt_$operand" "$operand" "$1"
	shift
done
[ $# = 0 ] || refuse "what is $1?"

# needs PROBE MESSAGE: ends with the message, in one line, where there is no such probe.
needs() {
	"$dtrace" -ln "$1" 2>/dev/null | grep -q '^ *[0-9]' || die "$2"
}

# needs_site PROBE MESSAGE: the same where a stable probe is listed, but this kernel has no site for it.
needs_site() {
	"$dtrace" -lvn "$1" 2>/dev/null | grep -q '^	Sites' || die "$2"
}

# every SHOW FORGET: D that runs both after each interval; `since` is the interval's start.  If the user ends the tool, it
# also shows the unfinished interval.  Without an interval, it shows everything at the end.
every() {
	if [ "$opt_interval" = 0 ]; then
		printf "%s\n" "dtrace:::END { $1 }"
		return
	fi
	printf "%s\n" "
	dtrace:::BEGIN { since = timestamp; ends = 0; }
	profile:::tick-${opt_interval}s { $1 $2 rounds++; since = timestamp; }
	profile:::tick-${opt_interval}s /opt_count && rounds == opt_count/ { exit(0); }
	dtrace:::END /!opt_count || rounds < opt_count/ { ends = 1; $1 }
	dtrace:::END { $2 }"
}

# greeting: D that says how it ends, if only the user knows when.
greeting() {
	[ -n "${opt_command:-}" ] || [ "${opt_interval:-0}" != 0 ] ||
		printf '%s' 'dtrace:::BEGIN { printf("Tracing... Hit Ctrl-C to end.\n"); }'
}

# Where the output goes: in a substitution it is not there.
if [ -t 1 ]; then terminal=1; else terminal=0; fi

# redraw: D that clears a terminal before each interval, except with -C.  The last output stays on the screen.
redraw() {
	[ "$terminal$opt_C" != 10 ] || printf '%s' 'if (!ends) { printf("\033[H\033[J"); }'
}

# top AGGREGATION: D that leaves the first rows that -t wants.
top() {
	[ "$opt_t" = 0 ] || printf '%s' "trunc(@$1, $opt_t);"
}

# of_disk: a condition on the arguments of probes of io, that they are of the device, file and mount point of -d, -f and -m.
of_disk() {
	printf 1
	[ -z "$opt_d" ] || printf %s ' && args[1]->dev_statname == opt_d'
	[ -z "$opt_f" ] || printf %s ' && args[2]->fi_pathname == opt_f'
	[ -z "$opt_m" ] || printf %s ' && args[2]->fi_mount == opt_m'
}

# of_process PID NAME: a condition on these two expressions, that they are of the process of -p, with the name of -n.
of_process() {
	printf 1
	[ "${opt_p:-0}" = 0 ] || printf %s " && $1 == opt_p"
	[ -z "${opt_n:-}" ] || printf %s " && $2 == opt_n"
}

# stamps_head, stamps: D that prints the columns of -s and -v.
stamps_head() {
	printf %s 'opt_s ? printf("%-14s ", "TIME") : 1; opt_v ? printf("%-20s ", "STRTIME") : 1;'
}

stamps() {
	printf %s 'opt_s ? printf("%-14d ", timestamp / 1000) : 1; opt_v ? printf("%-20Y ", walltimestamp) : 1;'
}

# run PROGRAM OPTION...: dtrace, with more options if there are any.
run() {
	ours="pid != \$pid && $(of_process pid "curpsinfo->pr_fname")"
	[ -z "${opt_command:-}" ] || ours="pid == \$target"
	program="inline int ours = $ours; $1"
	shift
	set -- -q -x defaultargs ${opt_command:+-c "$opt_command"} "$@"
	strings=0
	inlines=
	for row in $declared; do
		variable=${row%=*} kind=${row#*=}
		eval "value=\$$variable"
		if [ "$kind" = flag ] || is_number "$kind"; then
			inlines="${inlines}inline int $variable = $value; "
		else
			strings=$((strings + 1))
			inlines="${inlines}inline string $variable = \$\$$strings; "
		fi
	done
	set -- "$@" -s /dev/fd/9 --
	for row in $declared; do
		kind=${row#*=}
		if [ "$kind" != flag ] && ! is_number "$kind"; then
			eval "set -- \"\$@\" \"\$${row%=*}\""
		fi
	done
	exec "$dtrace" "$@" 9<<END
$inlines$program
END
}

# through FILTER PROGRAM OPTION...: run, with what the program prints as the input of the function FILTER.  What a command
# prints does not go this way.  What would end the tool ends dtrace, whose results are still to be shown.
through() {
	filter=$1
	shift
	[ $terminal = 0 ] || set -- "$@" -x visible
	traced='' stopped=0
	trap 'caught=1 stopped=1; [ -z "$traced" ] || kill "$traced" 2>/dev/null' INT TERM HUP
	pipe=$(mktemp -d) || die "no place for a pipe"
	trap 'rm -rf "$pipe"' EXIT
	mkfifo "$pipe/fifo"
	# Open for both, so that neither waits for the other, and the name can go.
	exec 4>&1 5<&0 6<>"$pipe/fifo" 7>"$pipe/fifo" 8<"$pipe/fifo" 6>&-
	rm -rf "$pipe"
	(
		trap '' INT TERM HUP
		"$filter"
	) <&8 4>&- 5>&- 7>&- 8>&- &
	shown=$!
	run "$@" -o /dev/fd/3 3>&7 >&4 <&5 4>&- 5>&- 7>&- 8>&- &
	traced=$!
	[ $stopped = 0 ] || kill "$traced"
	exec 4>&- 5>&- 7>&- 8>&-
	ends "$traced"
	status=$?
	trap 'caught=1' INT TERM HUP
	ends "$shown" || exit
	return "$status"
}

# ends PROCESS: waits for it, whatever signals come; its status.  A signal ends a wait, even one that has seen the process end.
# The next wait has the status, or 127: the process is forgotten, and the wait before had it.
ends() {
	ended=127 caught=1
	while [ $caught = 1 ]; do
		caught=0
		wait "$1"
		set -- "$1" $?
		[ "$2" = 127 ] || ended=$2
	done
	return "$ended"
}

# shares TITLE PROGRAM OPTION...: lines "COUNT NAME" that the program prints, as a table with the parts of the whole.  What has
# one name in several processes is one row.
shares() {
	title=$1
	shift
	through shares_table "$@"
}

shares_table() {
	awk 'NF >= 2 {
		n = $1
		sub(/^[^ ]* /, "")
		count[$0] += n
	}
	END {
		for (name in count)
			printf "%d %s\n", count[name], name
	}' | sort -n | awk -v title="$title" '{
		count[++n] = $1
		sum += $1
		sub(/^[^ ]* /, "")
		line[n] = $0
	}
	END {
		printf "%-56s %8s %7s\n", title, "COUNT", "PCNT"
		for (i = 1; i <= n; i++)
			printf "%-56s %8d %6.1f%%\n", line[i], count[i], 100 * count[i] / sum
	}'
}
