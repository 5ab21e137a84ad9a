#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# exec.t: programs of test/exec that need no made-up firings print the same in the kernel as in the interpreter,
# with optimization and without.  In guests a third of them run, with optimization.
#
# guests: 6.1
. "${0%/*}/lib.sh"

# Starting processes is slow in an emulated guest, so all outputs go through each tool at once.  A line "=== NAME"
# begins the output of a program.

# The programs that need no made-up firings, and their arguments.
mapfile -t files < <(grep -L '^/\* @[^a]' "$top"/test/exec/*.d)
declare -A args ends got want
while IFS=: read -r file text; do
	args[$file]=${text%\*/}
	args[$file]=${args[$file]#*@args}
done < <(grep -H '^/\* @args ' "${files[@]}")
while read -r file; do ends[$file]=1; done < <(grep -l 'exit(' "${files[@]}")

# run_program FILE OPT: prints its output and messages, and the status if it is not 0.
run_program() {
	local words end=()
	read -r -a words <<<"${args[$1]:-}"
	[ -n "${ends[$1]:-}" ] || end=(-c true)
	dtrace_run -x opt="$2" -s "$1" "${end[@]}" "${words[@]}"
	printf '\n=== %s\n' "${1##*/}, opt=$2"
	cat "$work/out" "$work/err"
	[ $status = 0 ] || echo "exit status $status"
}

# Ignores the CPU of BEGIN and END, messages of dtrace about itself, and addresses of the kernel, with four levels
# of page tables (0xffff...) or five.
normal() {
	sed -E -e '/^dtrace: (script|pid|[$]target is) /d' \
		-e 's/^ *[0-9]+( +[12] +:(BEGIN|END) )/  0\1/' -e 's/ on CPU [0-9]+$/ on CPU 0/' \
		-e 's/\(0xff[0-9a-f]{14}\)/(0x...)/'
}

# Messages go to a stream of their own, so only the order within each stream is comparable.
expected() {
	awk 'function flush() { printf "%s%s%s", out, err, status; out = err = status = "" }
		FNR == 1 { flush(); n = split(FILENAME, part, "/"); sub(/out$/, "d", part[n]); print "=== " part[n] }
		/^dtrace: / { err = err $0 "\n"; next }
		/^exit status / { status = status $0 "\n"; next }
		{ out = out $0 "\n" }
		END { flush() }' "$top"/test/exec/*.out
}

# keep ARRAY: stores the text of each name on standard input; empty lines at its end do not count.
keep() {
	local -n to=$1
	local line name=
	while IFS= read -r line; do
		if [[ $line = "=== "* ]]; then
			name=${line#=== }
			to[$name]=
		elif [ -n "$name" ]; then
			to[$name]+=$line$'\n'
		fi
	done
}

trimmed() {
	REPLY=$1
	while [ "${REPLY%$'\n'}" != "$REPLY" ]; do REPLY=${REPLY%$'\n'}; done
}

levels=2 step=3
fast_here "opt=0, and two of three programs" && levels="0 2" step=1
positive "${#files[@]}" "there are programs"
for ((i = 0; i < ${#files[@]}; i += step)); do
	for opt in $levels; do
		run_program "${files[i]}" "$opt"
	done
done >"$work/all"
keep got < <(normal <"$work/all")
keep want < <(expected)
positive "${#got[@]}" "they have run"
for name in "${!got[@]}"; do
	trimmed "${got[$name]}"
	text=$REPLY
	trimmed "${want[${name%, opt=*}]:-}"
	is "$text" "$REPLY" "$name"
done

done_testing
