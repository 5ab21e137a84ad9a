#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vfs.t: paths, names and operations on files, as often as a program reports.  One file system is in memory and does
# not cache absent names, the other is on a disk and caches them.
#
# guests: 6.1
# needs: losetup mkfs.ext4
. "${0%/*}/lib.sh"
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"
. "${0%/*}/disk.sh"

files=$top/build/test-files
mkdir "$work/mnt" "$work/memory"
mount -t tmpfs none "$work/memory"
disk_make 16
if [ -n "$disk" ]; then
	mkfs.ext4 -q "$disk" && mount "$disk" "$work/mnt"
fi

# operations_on DIRECTORY WHERE: checks one entry and one successful return for each operation.
operations_on() {
	local count name errors
	# A process's mappings are closed when it ends.
	dtrace_run -qc "$files $1" -n '
		syscall::exit_group:entry /pid == $target/ { self->ends = 1; }
		vfs:vop::entry, vfs:namei::entry /pid == $target && !self->ends/ { @in[probefunc] = count(); }
		vfs:vop::return, vfs:namei::return /pid == $target && !self->ends/
		{
			@out[probefunc] = count();
			@bad[probefunc] = sum((probefunc == "lookup" ? arg0 : arg2) != 0);
		}
		vfs:namei:lookup:entry /pid == $target/ { @path[stringof(arg1)] = count(); }
		END { printa("in %s %@d\n", @in); printa("out %s %@d %@d\n", @out, @bad);
			printa("path %s %@d\n", @path); }'
	ok "$2: no trouble" dtrace_is_quiet
	has "$work/out" '^did ' "$2: the program comes to its end"
	while read -r _ name count; do
		[[ $name = vop_create || $name = vop_reclaim ]] && ! may_probe_functions && continue
		is "$(awk -v name="$name" '$1 == "in" && $2 == name { print $3 }' "$work/out")" "$count" \
			"$2: $name: entries"
		# Nothing is left that could return.
		[ "$name" = vop_reclaim ] && continue
		is "$(awk -v name="$name" '$1 == "out" && $2 == name { print $3 }' "$work/out")" "$count" \
			"$2: $name: returns"
		# The only failures are lookups of absent names, and a request that no file system knows.
		case $name in
		lookup) errors=50 ;;
		vop_ioctl) errors=$count ;;
		*) errors=0 ;;
		esac
		is "$(awk -v name="$name" '$1 == "out" && $2 == name { print $4 }' "$work/out")" $errors "$2: $name: errors"
	done < <(grep '^did ' "$work/out")
	is "$(grep -E '^path (missing0|new0|moved0) ' "$work/out" | sort | paste -sd ' ')" \
		"path missing0 21 path moved0 8 path new0 42" "$2: paths"
}

operations_on "$work/memory" memory
[ -z "$disk" ] || operations_on "$work/mnt" disk

may_probe_functions || { skip "the cache of names" "the kernel lets nobody probe its functions"; done_testing; }

# names_on DIRECTORY COMMAND: counts what happens to names that begin with nc_; each event is expected once.
names_on() {
	dtrace_run -qc "sh $work/script $1" -n '
		vfs:namecache:: /progenyof($target) && probefunc != "purge" && probefunc != "purge_negative"/
		{ this->name = stringof(arg1); }
		vfs:namecache:purge:, vfs:namecache:purge_negative: /progenyof($target)/ { this->name = stringof(arg2); }
		vfs:namecache:: /progenyof($target) && substr(this->name, 0, 3) == "nc_"/
		{ @[probefunc == "lookup" ? probename : probefunc, this->name] = count(); }
		END { printa("%s %s %@d\n", @); }'
	ok "$2: no trouble" dtrace_is_quiet
}

# Each step has its own name; programs and the shell's files have others.
cat >"$work/script" <<'END'
cd "$1"
test -e nc_missing
test -e nc_missing
test -e nc_missing
: >nc_made
test -e nc_made
: >nc_removed
rm nc_removed
: >nc_old
mv -T nc_old nc_new
mkdir nc_dir
test -e nc_dir/nc_below
test -e nc_none/nc_below
: >nc_missing
END

# happens WANT WHERE: compares lines of a name and what happened to it.
happens() {
	local name want
	while IFS=: read -r name want; do
		is "$(sed -n "s/ $name / /p" "$work/out" | sort | paste -sd ' ')" "${want# }" "$2: $name"
	done <<<"$1"
}

# "rm" and the shell's redirection look for a name more often.
same='nc_made: enter 1 enter_negative 1 hit 1 miss 1
nc_removed: enter 1 enter_negative 2 hit 2 miss 1 purge 1
nc_old: enter 1 enter_negative 1 hit 1 miss 1 purge 1
nc_new: enter 1 enter_negative 1 miss 1 purge_negative 1 zap_negative 1
nc_dir: enter 1 enter_negative 1 hit 1 miss 1'

# An absent name is forgotten at once, and so is the name of a removed file.
names_on "$work/memory" memory
happens "nc_missing: enter 1 enter_negative 4 miss 4 zap_negative 3
${same/purge 1/purge 1 zap_negative 1}
nc_none: enter_negative 1 miss 1 zap_negative 1
nc_below: enter_negative 1 miss 1 zap_negative 1" "memory"

# The cache keeps an absent name until the file system is gone.
names_on "$work/mnt" disk
happens "nc_missing: enter 1 enter_negative 1 hit-negative 3 miss 1
$same
nc_none: enter_negative 1 miss 1
nc_below: enter_negative 1 miss 1" "disk"

dtrace_run -qc "$files $work/memory" -n 'vfs::: /pid == $target/ { @[probemod] = count(); }'
ok "all probes: no trouble" dtrace_is_quiet
is "$(awk 'NF == 2 { print $1 }' "$work/out" | sort | paste -sd ' ')" "namecache namei vop" "all probes"

done_testing
