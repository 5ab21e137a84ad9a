#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Stacks of Debian's own programs, which have no frame pointers, compared with gdb frame by frame.
#
# guests: none
# needs: curl gdb nginx python3 /usr/lib/postgresql
. "${0%/*}/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "unwind tables are read for x86-64 only"
cd "$work" || exit 1

# equal TEXT LEAST SYSCALL STOPS WRAPPER PROGRAM ARG...: checks that 95 % of the frames are equal, of at least LEAST
# frames.
equal() {
	local text=$1 least=$2 total same
	python3 "${top}/test/kern/frames.py" "$3" "$4" "$dtrace" "${@:5}" >frames 2>&1
	read -r total same <frames
	between "$total" "$least" 1000000 "$text: frames"
	ok "$text: frames equal" test "${same:-0}00" -ge "$((${total:-1} * 95))" || note_file "of gdb, of dtrace" frames
}

equal curl 300 openat 40 '' /usr/bin/curl -s -o /dev/null file:///etc/hosts </dev/null

printf 'import json\nfor i in range(40):\n\topen("/etc/hosts").read()\n\tprint(json.dumps([i]), flush=True)\n' >loop.py
equal python3 500 openat 60 '' /usr/bin/python3 loop.py </dev/null

# ---- nginx, one process that answers requests

cat >nginx.conf <<END
daemon off;
master_process off;
pid $work/nginx.pid;
error_log $work/error.log;
events {}
http { access_log off; server { listen unix:$work/nginx.sock; root $work; } }
END
(
	for _ in $(seq 400); do
		[ ! -S nginx.sock ] || curl -s --max-time 20 --unix-socket nginx.sock http://localhost/loop.py >>answers
		sleep 0.1
	done
) &
requests=$!
equal nginx 100 writev 6 '' /usr/sbin/nginx -c "$work/nginx.conf" </dev/null
end_pid "$requests"
has answers json "nginx has answered"

# ---- a PostgreSQL server of one process

bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
as_postgres="setpriv --reuid postgres --regid postgres --clear-groups"
chmod 755 "$work"
mkdir db
chown postgres db
$as_postgres "$bin/initdb" -A trust -D "$work/db" >initdb 2>&1
cat >sql <<'END'
create table t1 (a int primary key, b text);
insert into t1 select i, repeat(i::text, 100) from generate_series(1, 20000) i;
select count(*) from t1 join pg_class on a = relpages where b like chr(120);
END
equal postgres 1000 pread64 100 "$as_postgres" "$bin/postgres" --single -D "$work/db" postgres <sql

done_testing
