#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# files.sh SEED COUNT: bytes and operations of fsinfo by file and road, operations of vfs, sysinfo, and the rows of rwtop, filetop and
# rwsnoop, beside what a random load did, and /proc/PID/io.  Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-300}
cat >"$work/d" <<END
int started;
fsinfo:::read, fsinfo:::write /pid == \$target && args[0]->fi_dirname == "$work/load" && started/
{ @bytes[probename, probefunc, args[0]->fi_name] = sum(args[1]); @n[probename, probefunc, args[0]->fi_name] = count(); }
fsinfo:::open, fsinfo:::close, fsinfo:::fsync, fsinfo:::getattr, fsinfo:::setattr, fsinfo:::readlink, fsinfo:::mkdir,
fsinfo:::rmdir, fsinfo:::remove, fsinfo:::link, fsinfo:::symlink
/pid == \$target && args[0]->fi_dirname == "$work/load" && started/
{ @n[probename, "-", args[0]->fi_name] = count(); }
vfs::vop_read:return, vfs::vop_write:return
/pid == \$target && xlate <fileinfo_t> ((struct file *)arg1).fi_dirname == "$work/load" && started/
{ @n[probefunc, "-", xlate <fileinfo_t> ((struct file *)arg1).fi_name] = count(); }
sysinfo:::readch, sysinfo:::writech, sysinfo:::sysread, sysinfo:::syswrite /pid == \$target && started/
{ @all[probename] = sum(arg0); }
syscall::getpriority:return /pid == \$target/ { started = !started; }
END
cat >>"$work/d" <<'END'
dtrace:::END { printa("bytes %s %s %s %@d\n", @bytes); printa("count %s %s %s %@d\n", @n); printa("all %s %@d\n", @all); }
END
"$top/test/witness/load_files.py" "$work" "$seed" "$count" &
load=$!
own_pids+=($load)
# The tools set their own options.
trace_start "$work/rwtop" "$top/scripts/rwtop" -C -p $load 1000
trace_start "$work/filetop" "$top/scripts/filetop" -C -p $load 1000
trace_start "$work/rwsnoop" "$top/scripts/rwsnoop" -p $load
trace_start "$work/out" "$dtrace" -x bufsize=16m -qs "$work/d" -p $load
: >"$work/go"
wait_for test -e "$work/ran" || { echo 'the load failed' >&2; exit 2; }
trace_stop
: >"$work/stop"
wait $load || exit 2

awk -v work="$work/load/" '
	function row(name, where, got, want) { print (got == want ? "same" : "differs"), name, where, got, want }
	FILENAME ~ /want$/ && $1 == "file" {
		key = $2 " " $3 " " $4
		keys[key]
		count[key] = $6
		if ($2 == "read" || $2 == "write") {
			bytes[key] = $5
			of[$2, work $4] += $5
			# Rows of a tool have calls that moved something.
			files[work $4]
			if ($3 == "call") {
				vop = "vop_" $2 " - " $4
				keys[vop]
				count[vop] = $6
			}
		}
	}
	FILENAME ~ /want$/ && $1 == "all" { all[$2] = $3 }
	FILENAME ~ /out$/ && $1 == "bytes" { got_bytes[$2 " " $3 " " $4] = $5 }
	FILENAME ~ /out$/ && $1 == "count" { keys[$2 " " $3 " " $4]; got_count[$2 " " $3 " " $4] = $5 }
	FILENAME ~ /out$/ && $1 == "all" { got_all[$2] = $3 }
	FILENAME ~ /rwtop$/ && $5 ~ /^[RW]$/ { got_all["rwtop-" $5] += $6 }
	FILENAME ~ /filetop$/ && $8 ~ /\/load\// { kb[$8] = $3; kb_read[$8] = $6; kb_written[$8] = $7 }
	FILENAME ~ /rwsnoop$/ && $4 ~ /^[RW]$/ && $5 > 0 { snooped[$4, $6] += $5; got_all["rwsnoop-" $4] += $5 }
	END {
		for (key in keys) {
			split(key, part, " ")
			where = part[2] ":" part[3]
			row(part[1] "-count", where, got_count[key] + 0, count[key] + 0)
			if (key in bytes)
				row(part[1] "-bytes", where, got_bytes[key] + 0, bytes[key])
		}
		for (name in all)
			row(name, "process", got_all[name] + 0, all[name])
		for (file in files) {
			row("filetop-KB", file, kb[file] + 0, int((of["read", file] + of["write", file]) / 1024))
			row("filetop-R_KB", file, kb_read[file] + 0, int(of["read", file] / 1024))
			row("rwsnoop-R", file, snooped["R", file] + 0, of["read", file] + 0)
			row("rwsnoop-W", file, snooped["W", file] + 0, of["write", file] + 0)
			row("filetop-W_KB", file, kb_written[file] + 0, int(of["write", file] / 1024))
		}
	}' "$work/want" "$work/out" "$work/rwtop" "$work/filetop" "$work/rwsnoop" | sort >"$work/table"
report_table "$work/table"
