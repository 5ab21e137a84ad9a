# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# owners.sh: names of the processes that own sockets; a tool sources this file after tool.sh.
#
# A probe that sees a packet can fire in any process, so D knows the number of the owner, but not the name.  The program
# prints lines "owner PID NAME" for names that it learns, and "@PID" for an owner in other lines.

# learns PROTOCOL: prints D that collects the names of processes that make a socket, or send data, in @owners.
learns() {
	printf '%s\n' 'cgroup:sock::create { @owners[pid, curpsinfo->pr_fname] = count(); }' \
		"$1:::send /pid == args[1]->cs_pid/ { @owners[pid, curpsinfo->pr_fname] = count(); }"
}

# with_owners FORMAT: a filter that prints PID and name in this format instead of "@PID".  The name is - if the process
# ended before the program learned it.  A name can contain a newline, and so the start of a line.
with_owners() {
	while IFS= read -r line; do
		case $line in
		'owner '*)
			line=${line#* }
			case ${line%% *} in
			'' | *[!0-9]*) ;;
			*) eval "owner_${line%% *}=\${line#* }" ;;
			esac
			continue
			;;
		*@*)
			rest=${line#*@}
			owner=${rest%% *} name=
			case ${owner#-} in
			'' | *[!0-9]*) continue ;;
			esac
			if [ "$owner" -gt 0 ]; then
				{ read -r name <"/proc/$owner/comm"; } 2>/dev/null || eval "name=\${owner_$owner:-}"
			fi
			case $name in
			'' | *[![:print:]]*) name=- ;;
			esac
			# shellcheck disable=SC2059
			line=${line%%@*}$(printf "$1" "$owner" "$name")${rest#"$owner"}
			;;
		esac
		printf '%s\n' "$line" || return
	done
}
