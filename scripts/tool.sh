# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# tool.sh: the common part of the tools.  A tool sources this file and calls run with its program in D.
#
# The head of a tool has three uses: -h prints it, its manual page is made from it (tools/tool-page.sh), and this file
# takes the options from it.  Before the example, it has the usage and a line for each option and operand:
#
#	# usage: name [-hx] [-n name] [interval [count]]
#	#
#	#	-n name	imperative
#	#	-x	imperative
#	#	interval	noun
#
# The shell gets $opt_n and $opt_interval, and D gets inlines with the names opt_n and opt_interval.  An option without a
# value is 0 or 1.  The name of a value decides whether it is a number (is_number) or a string.  A missing value is 0 or
# "".  Strings reach D as macro arguments, so the text of a user is never a part of a program.
#
# D also gets `ours`: a condition that the process matches -p and -n, and is not dtrace.  The operand "command" is the
# rest of the line: dtrace runs it, and only its process is `ours`.
#
# In front of its own options, a tool takes --flame FILE, --heat FILE, --html FILE and --save FILE, as dtrace does.

tool=${0##*/}
dtrace=${DTRACE:-dtrace}
PATH=$PATH:/usr/sbin

# head_of EXPRESSION: prints the head of the tool, up to its example, through sed.
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

# is_number NAME: returns success if values with this name in the head are numbers.
is_number() {
	case $1 in
	pid | port | interval | count | seconds | signal | top | hz | us | ms | frames | bytes) ;;
	*) false ;;
	esac
}

# is_possible NAME: returns success if $value is possible.  In the program, 0 stands for a missing value.
is_possible() {
	case $1 in
	pid) [ -d "/proc/$value" ] ;;
	port) [ "$value" -ge 1 ] && [ "$value" -le 65535 ] ;;
	signal) [ "$value" -ge 1 ] && [ "$value" -le 64 ] ;;
	hz) [ "$value" -ge 1 ] ;;
	esac
}

# assign VARIABLE NAME VALUE: checks the text of the user and assigns it.
assign() {
	value=$3
	if is_number "$2"; then
		case $value in
		'' | *[!0-9]* | ??????????*) refuse "not a number: $value" ;;
		esac
		# In D, a leading 0 means octal.
		while [ "${#value}" -gt 1 ] && [ "${value#0}" != "$value" ]; do
			value=${value#0}
		done
		is_possible "$2" || refuse "invalid $2: $value"
	elif [ -z "$value" ]; then
		refuse "empty $2"
	elif [ "$2" = name ]; then
		# The kernel keeps 15 characters of a name.
		value=$(printf %.15s "$value")
	fi
	eval "$1=\$value"
}

# The declarations of the head, as VARIABLE=NAME; an option without a value has the name flag.
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

pictures=
while :; do
	case ${1:-} in
	--flame | --heat | --html | --save)
		[ $# -gt 1 ] && [ -n "$2" ] || refuse "$1 needs a file"
		eval "file_${1#--}=\$2"
		pictures="$pictures $1"
		shift 2
		;;
	*) break ;;
	esac
done

while getopts "$letters" letter; do
	case $letter in
	h)
		usage
		exit 0
		;;
	:) refuse "-$OPTARG needs a value" ;;
	\?)
		[ "$OPTARG" != - ] || refuse "options with -- go before the others: --flame, --heat, --html, --save"
		refuse "unknown option -$OPTARG"
		;;
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
		# dtrace splits the command at blanks.
		for word; do
			case $word in
			'' | *[[:space:]]*)
				refuse "cannot pass the argument '$word': it is empty or has a blank; put the command into a script"
				;;
			esac
		done
		opt_command=$*
		shift $#
		break
	fi
	assign "opt_$operand" "$operand" "$1"
	shift
done
[ $# = 0 ] || refuse "unexpected operand: $1"

# sudo and cron have a short PATH.
command -v "$dtrace" >/dev/null || {
	echo "$tool: $dtrace: not found; set DTRACE to the path of dtrace" >&2
	exit 127
}

# needs PROBE MESSAGE: ends the tool with a message of one line if the probe does not exist.
needs() {
	lists '^ *[0-9]' -ln "$1" || lacks "$1" "$2"
}

# needs_site PROBE MESSAGE: ends the tool if this kernel has no site for a stable probe.
needs_site() {
	lists '^	Sites' -lvn "$1" || lacks "$1" "$2"
}

lists() {
	"$dtrace" "$2" "$3" 2>/dev/null | grep -q "$1"
}

# lacks PROBE MESSAGE: ends the tool, because dtrace lists no such probe.  If dtrace cannot trace at all, or has another
# reason, the user sees its message.
lacks() {
	"$dtrace" -qn 'dtrace:::BEGIN { exit(0); }' >/dev/null || exit
	reason=$("$dtrace" -ln "$1" 2>&1 >/dev/null | grep -v ': No probe matches description$')
	[ -z "$reason" ] || { printf '%s\n' "$reason" >&2; exit 1; }
	die "$2"
}

# every SHOW FORGET: prints D that runs both after each interval; `since` is the start of the interval.  If the user ends
# the tool, SHOW also runs for the unfinished interval.  Without an interval, SHOW runs at the end.
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

# greeting: prints D that says how to end the tool, if only the user can end it.
greeting() {
	[ -n "${opt_command:-}" ] || [ "${opt_interval:-0}" != 0 ] ||
		printf '%s' 'dtrace:::BEGIN { printf("Tracing... Hit Ctrl-C to end.\n"); }'
}

# Test the output here: in a command substitution, it is a pipe.
if [ -t 1 ]; then terminal=1; else terminal=0; fi

# redraw: prints D that clears a terminal before each interval, except with -C.  The last output stays on the screen.
redraw() {
	[ "$terminal$opt_C" != 10 ] || printf '%s' 'if (!ends) { printf("\033[H\033[J"); }'
}

# top AGGREGATION: prints D that keeps the largest rows, as many as -t says.
top() {
	[ "$opt_t" = 0 ] || printf '%s' "trunc(@$1, $opt_t);"
}

# of_disk: prints a condition for probes of io: the device, file and mount point match -d, -f and -m.
of_disk() {
	printf 1
	[ -z "$opt_d" ] || printf %s ' && args[1]->dev_statname == opt_d'
	[ -z "$opt_f" ] || printf %s ' && args[2]->fi_pathname == opt_f'
	[ -z "$opt_m" ] || printf %s ' && args[2]->fi_mount == opt_m'
}

# aio_left: prints D that says how many requests of io_submit() have no bytes in fsinfo, if there are any.
aio_left() {
	printf '%s\n' 'syscall::io_submit:entry /ours && aio_left > 0/ { @aio_left = sum(aio_left); }
	dtrace:::END { printa("not counted as a whole: %@d requests of io_submit() for several files or in large calls\n", @aio_left); }'
}

# without_wait: prints D that says how many reads and writes are no operations of vfs, if there are any: threads do not wait
# for them.  -o names an operation.
without_wait() {
	printf '%s\n' 'fsinfo::io_submit:, fsinfo::io_uring: /ours && (opt_o == "" || opt_o == strjoin("vop_", probename))/
	{ @without_wait = count(); }
	dtrace:::END { printa("not shown: %@d reads and writes by io_submit() and io_uring\n", @without_wait); }'
}

# of_process PID NAME: prints a condition: these two expressions match -p and -n.
of_process() {
	printf 1
	[ "${opt_p:-0}" = 0 ] || printf %s " && $1 == opt_p"
	[ -z "${opt_n:-}" ] || printf %s " && $2 == opt_n"
}

# stamps_head, stamps: print D that prints the columns of -s and -v.
stamps_head() {
	printf %s 'opt_s ? printf("%-14s ", "TIME") : 1; opt_v ? printf("%-20s ", "STRTIME") : 1;'
}

stamps() {
	printf %s 'opt_s ? printf("%-14d ", timestamp / 1000) : 1; opt_v ? printf("%-20Y ", walltimestamp) : 1;'
}

# run PROGRAM OPTION...: runs dtrace with these additional options.
run() {
	ours="pid != \$pid && $(of_process pid "curpsinfo->pr_fname")"
	[ -z "${opt_command:-}" ] || ours="pid == \$target"
	program="inline int ours = $ours; $1"
	shift
	set -- -q -x defaultargs ${opt_command:+-c "$opt_command"} "$@"
	for picture in $pictures; do
		eval "set -- \"\$@\" \"$picture\" \"\$file_${picture#--}\""
	done
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

# through FILTER PROGRAM OPTION...: run, with the output of the program as the input of the function FILTER.  The output
# of a command does not pass the filter.  Signals that would end the tool end dtrace, so the filter shows its results.
through() {
	filter=$1
	shift
	[ $terminal = 0 ] || set -- "$@" -x visible
	traced='' stopped=0
	trap 'caught=1 stopped=1; [ -z "$traced" ] || kill "$traced" 2>/dev/null' INT TERM HUP
	pipe=$(mktemp -d) || die "could not make a directory for a pipe"
	trap 'rm -rf "$pipe"' EXIT
	mkfifo "$pipe/fifo"
	# Open both ends first, so that neither process waits for the other; then the name can go.
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

# ends PROCESS: waits for it through all signals, and returns its status.  A signal can interrupt a wait that has already
# seen the process end.  The next wait then has the status, or 127 if the interrupted wait had it.
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

# shares TITLE PROGRAM OPTION...: prints lines "COUNT NAME" of the program as a table with percentages.  Lines of several
# processes with the same name are one row.
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
