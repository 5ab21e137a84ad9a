#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC2059,SC2317
#
# viewers.sh [FOLDER]: files for other viewers, of real programs: a build, nginx and PostgreSQL.
#
# A rung run by hand, as root.  Each program is traced three times: for its stacks, for its stacks as a JSON document, and
# for its records over time.  Each run writes all formats at once, and is saved; --from writes all formats again.
# The script prints a table: program, format, total of the text, of the run's own file, and of the file of the saved run.
# Totals must be equal, and so must stacks and events of the last two.  The status is 1 if they are not.
# The files stay in FOLDER.  Programs that are not installed are skipped by name.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
top=$(cd "${0%/*}/.." && pwd)
dtrace=${DTRACE:-$top/build/dtrace}
scratch=$(mktemp -d)
work=${1:-$scratch/files}
chmod 755 "$scratch"
mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
nginx=
data=
http=
viewer=
failed=0
stacks='folded speedscope pprof firefox'
row='%-11s %-18s %9s %9s %9s  %s\n'

end() {
	[ -z "$nginx" ] || kill "$nginx"
	[ -z "$http" ] || kill "$http"
	[ -z "$data" ] || as_postgres "$bin/pg_ctl" -D "$data/db" -m immediate stop >/dev/null
	rm -rf "$scratch"
}
trap end EXIT
trap 'exit 1' INT TERM

# has TEXT PROGRAM...: returns success if all programs are installed; otherwise prints that TEXT is skipped.
has() {
	local program
	for program in "${@:2}"; do
		type -P "$program" >/dev/null || { echo "skipped (not installed: $program): $1"; return 1; }
	done
}

# compare PROGRAM FORMAT TEXT LIVE SAVED DIFFERENCES: prints a row of the table.
compare() {
	local note=
	[ "${3:-0}" -gt 0 ] 2>/dev/null || note="nothing was recorded"
	[ "$3" = "$4" ] && [ "$3" = "$5" ] || note="UNEQUAL"
	[ -z "$6" ] || note="${note:+$note, }DIFFERENT: $(head -n 1 <<<"$6" | cut -c -200)"
	printf "$row" "$1" "$2" "$3" "$4" "$5" "$note"
	[ -z "$note" ] || failed=1
}

# run LOG OPTIONS: runs dtrace; a status that is not 0 and messages are failures.
run() {
	"$dtrace" "${@:2}" >"$1.out" 2>"$1.err" </dev/null
	local status=$?
	if [ $status != 0 ] || [ -s "$1.err" ]; then
		echo "$(basename "$1"): status $status"
		sed 's/^/    /' "$1.err" | head -n 20
		failed=1
	fi
}

# total FILE: prints the total of a list of stacks.
total() {
	sed -n 's/^total //p' "$1"
}

# flame_total SVG: prints the number in the title of the lowest frame.
flame_total() {
	grep -A 1 '<title>all$' "$1" | sed -n '2s/^[^0-9]*\([0-9]*\).*/\1/p'
}

# options PREFIX: prints an option for each format of stacks.
options() {
	for kind in flame $stacks; do
		printf -- '--%s\n%s.%s\n' "$kind" "$1" "$kind"
	done
}

# list_stacks PREFIX: writes a list of the stacks of each file.
list_stacks() {
	for kind in $stacks; do
		python3 "$top/test/kern/formats.py" stacks "$kind" "$1.$kind" >"$1.$kind.list"
	done
	/usr/bin/python3 "$top/test/kern/pictures.py" frames "$1.flame" >"$1.flame.list"
}

# trace_stacks PROGRAM COMMAND D: traces stacks, and compares the formats.
trace_stacks() {
	local live=$work/$1.live saved=$work/$1.saved document=$work/$1.document text options
	mapfile -t options < <(options "$live")
	run "$live" -q -O --save "$live.jsonl" "${options[@]}" -n "$3" -c "$2"
	text=$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$live.out")
	mapfile -t options < <(options "$saved")
	run "$saved" --from "$live.jsonl" "${options[@]}"
	list_stacks "$live"
	list_stacks "$saved"
	for kind in $stacks; do
		compare "$1" "$kind" "$text" "$(total "$live.$kind.list")" "$(total "$saved.$kind.list")" \
			"$(diff "$live.$kind.list" "$saved.$kind.list"; diff "$live.folded.list" "$live.$kind.list")"
	done
	compare "$1" flame "$text" "$(flame_total "$live.flame")" "$(flame_total "$saved.flame")" \
		"$(diff "$live.flame.list" "$saved.flame.list")"

	mapfile -t options < <(options "$document.live")
	run "$document.live" -q -O --libxo json -o "$document.json" "${options[@]}" -n "$3" -c "$2"
	mapfile -t options < <(options "$document.saved")
	run "$document.saved" --from "$document.json" "${options[@]}"
	list_stacks "$document.live"
	list_stacks "$document.saved"
	text=$(python3 -c 'import json, sys
print(sum(row["count"] for probe in json.load(open(sys.argv[1]))["dtrace"]["probes"] for out in probe.get("output", [])
	for row in out.get("aggregation-data", [])))' "$document.json")
	for kind in $stacks; do
		compare "$1" "$kind, document" "$text" "$(total "$document.live.$kind.list")" "$(total "$document.saved.$kind.list")" \
			"$(diff "$document.live.$kind.list" "$document.saved.$kind.list")"
	done
	compare "$1" "flame, document" "$text" "$(flame_total "$document.live.flame")" "$(flame_total "$document.saved.flame")" \
		"$(diff "$document.live.flame.list" "$document.saved.flame.list")"
	open_flame "$1" "$live.flame"
	for kind in speedscope pprof; do
		open_speedscope "$1" $kind "$live.$kind"
	done
}

# screenshot TEXT URL PNG: makes a screenshot, to be looked at.
screenshot() {
	timeout 60 chromium --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader \
		--user-data-dir="$scratch/chromium" --window-size=1220,900 --virtual-time-budget=20000 \
		--screenshot="$3" "$2" >"$scratch/chromium.log" 2>&1
	if [ -s "$3" ]; then
		echo "$1: $3"
	else
		echo "$1: Chromium makes no screenshot of $2"
		failed=1
	fi
}

# open_flame PROGRAM SVG
open_flame() {
	has "$1: a screenshot of the flame graph" chromium || return
	cp "$2" "$2.svg"
	screenshot "$1: a screenshot of the flame graph" "file://$2.svg" "$work/$1.png"
}

# speedscope_start: gets the viewer from npm, and serves it.  Sets $viewer to its URL; "": there is none.
speedscope_start() {
	local dir=$scratch/speedscope log=$scratch/speedscope.log
	viewer=
	has "screenshots of speedscope" chromium npm || return
	mkdir "$dir"
	(cd "$dir" && timeout 120 npm pack speedscope && tar xzf speedscope-*.tgz) >"$log" 2>&1 ||
		{ echo "skipped (npm has no speedscope): screenshots of speedscope"; return; }
	python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$dir/package/dist/release" >"$log" 2>&1 &
	http=$!
	for ((i = 0; i < 100; i++)); do
		viewer=$(sed -n 's/.*(\(http[^)]*\)\/).*/\1/p' "$log")
		[ -z "$viewer" ] || return
		sleep 0.1
	done
}

# open_speedscope PROGRAM FORMAT FILE
open_speedscope() {
	[ -n "$viewer" ] || return
	cp "$3" "$scratch/speedscope/package/dist/release/$1.$2"
	screenshot "$1: a screenshot of $2 in speedscope" "$viewer/index.html#profileURL=$viewer/$1.$2" "$work/$1.$2.png"
}

# list_events PREFIX: writes a list of the events of each format, without times and without counters.
list_events() {
	python3 "$top/test/kern/timeline.py" "$1.chrome" | grep -v '^counter ' >"$1.chrome.list"
	if type -P protoc >/dev/null; then
		# JSON does not show whether a number has a sign.  Notes such as "exit" are not in order of time, so lines are sorted.
		protoc -I "$top/test/kern" --decode=perfetto.Trace perfetto.proto <"$1.perfetto" |
			awk '/^packet/ { type = name = args = "" } $1 == "type:" { type = $2 } /^    name:/ { name = $2 }
				/^      [a-z]+_value:/ { sub(/^ *(uint_|int_)?/, ""); args = args " " $0 }
				/^}/ && type != "" { print type, name, args }' | sort >"$1.perfetto.list"
	fi
	if type -P babeltrace2 >/dev/null; then
		babeltrace2 "$1.ctf" | sed 's/^[^)]*) //' | grep -v '^dtrace:counter' >"$1.ctf.list"
	fi
}

# trace_records PROGRAM COMMAND D: traces records, and compares the number of slices.  D ends a line with "begin" for each.
trace_records() {
	local live=$work/$1.records saved=$work/$1.records.saved text
	rm -rf "$live.ctf" "$saved.ctf"
	run "$live" -q -x timeline --save "$live.jsonl" --perfetto "$live.perfetto" --chrome "$live.chrome" --ctf "$live.ctf" \
		-n "$3" -c "$2"
	run "$saved" --from "$live.jsonl" --perfetto "$saved.perfetto" --chrome "$saved.chrome" --ctf "$saved.ctf"
	text=$(grep -c 'begin$' "$live.out")
	list_events "$live"
	list_events "$saved"
	events "$1" chrome '^slice ' "$text"
	open_speedscope "$1" chrome "$live.chrome"
	has "$1: Perfetto" protoc && events "$1" perfetto '^TYPE_SLICE_BEGIN' "$text"
	has "$1: CTF" babeltrace2 && events "$1" ctf '^[^ ]*:begin:' "$text"
}

# events PROGRAM FORMAT REGEX TEXT: compares the events of the run and of the saved run.
events() {
	local live=$work/$1.records.$2.list saved=$work/$1.records.saved.$2.list
	compare "$1" "$2" "$4" "$(grep -c "$3" "$live")" "$(grep -c "$3" "$saved")" "$(diff "$live" "$saved")"
}

# ---- a build

build() {
	has "a build" gcc make || return
	mkdir "$scratch/objects"
	cat >"$scratch/makefile" <<-END
		SRC := \$(wildcard $top/src/base/*.c $top/src/ir/*.c)
		all: \$(notdir \$(SRC:.c=.o))
		vpath %.c $top/src/base $top/src/ir
		%.o: %.c ; @gcc -std=gnu11 -O2 -I$top/src -I$top/include -I$top/build -c -o $scratch/objects/\$@ \$<
	END
	local make="make -s -f $scratch/makefile"
	$make >"$work/build.log" 2>&1 || { echo "the build fails; see $work/build.log"; failed=1; return; }
	trace_stacks build "$make" 'profile-997 /progenyof($target)/ { @[execname, ustack()] = count(); }'
	trace_records build "$make" 'syscall::openat:entry /progenyof($target)/ { printf("begin\n"); trace(copyinstr(arg1)); }
		syscall::openat:return /progenyof($target)/ { trace(arg0); }'
}

# ---- nginx

serve() {
	has "nginx" nginx curl || return
	local dir=$scratch/nginx port
	mkdir -p "$dir/html"
	head -c 100000 /dev/zero >"$dir/html/large"
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	cat >"$dir/conf" <<-END
		daemon off;
		user root;
		worker_processes 2;
		pid $dir/pid;
		error_log $dir/error;
		events { worker_connections 64; }
		http {
			access_log $dir/access;
			client_body_temp_path $dir/body;
			proxy_temp_path $dir/proxy;
			fastcgi_temp_path $dir/fastcgi;
			uwsgi_temp_path $dir/uwsgi;
			scgi_temp_path $dir/scgi;
			server { listen 127.0.0.1:$port; root $dir/html; }
		}
	END
	nginx -e "$dir/error" -c "$dir/conf" &
	nginx=$!
	cat >"$dir/load" <<-END
		for i in \$(seq 100); do
			curl -s -o /dev/null http://127.0.0.1:$port/large
			curl -s -o /dev/null http://127.0.0.1:$port/none
		done
	END
	curl -s -o /dev/null --retry 20 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/large" ||
		{ echo "nginx does not answer"; failed=1; return; }
	trace_stacks nginx "bash $dir/load" "syscall:::entry /progenyof($nginx)/ { @[execname, probefunc, ustack(), stack()] = count(); }"
	# epoll_wait() is left out: it waits when tracing begins.
	trace_records nginx "bash $dir/load" "syscall:::entry /progenyof($nginx) && probefunc != \"epoll_wait\"/
			{ self->on = 1; printf(\"%s %d begin\\n\", probefunc, arg0); ustack(); }
		syscall:::return /self->on/ { self->on = 0; trace((int)arg1); }"
}

# ---- PostgreSQL, whose processes are children of a server

as_postgres() {
	(cd "$data" && exec setpriv --reuid postgres --regid postgres --clear-groups "$@")
}

database() {
	bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
	has "PostgreSQL" "$bin/initdb" "$bin/pg_ctl" "$bin/pgbench" setpriv || return
	local server load
	data=$scratch/postgres
	mkdir "$data"
	chown postgres "$data"
	as_postgres "$bin/initdb" -A trust -D "$data/db" >"$work/postgres.log" 2>&1
	as_postgres "$bin/pg_ctl" -D "$data/db" -w -l "$data/log" -o "-k $data -c listen_addresses='' -c autovacuum=off" \
		start >>"$work/postgres.log" || { echo "PostgreSQL does not start; see $work/postgres.log"; failed=1; return; }
	server=$(head -n 1 "$data/db/postmaster.pid")
	as_postgres "$bin/pgbench" -h "$data" -i -s 1 postgres >>"$work/postgres.log" 2>&1
	load="setpriv --reuid postgres --regid postgres --clear-groups $bin/pgbench -h $data -c 4 -t 300 -n postgres"
	trace_stacks postgresql "$load" "profile-997 /progenyof($server)/ { @[execname, pid, ustack(), stack()] = count(); }"
	trace_records postgresql "$load" "postgresql*:::query-start /progenyof($server)/
			{ printf(\"%s begin\\n\", copyinstr(arg0)); ustack(); }
		postgresql*:::query-done /progenyof($server)/ { trace(timestamp); }
		syscall::pwrite64:entry, syscall::pread64:entry, syscall::sendto:entry /progenyof($server)/
			{ printf(\"%s %d begin\\n\", probefunc, arg2); }
		syscall::pwrite64:return, syscall::pread64:return, syscall::sendto:return /progenyof($server)/ { trace((int)arg1); }"
}

has "all" python3 "$dtrace" || exit 2
speedscope_start
printf "$row" program format text live saved ''
build
serve
database
exit $failed
