#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC2059,SC2317
#
# readers.sh [FOLDER]: what the readers of our files and metrics show of a load of known size.
#
# A rung run by hand, as root.  The script prints a table: reader, what it was asked, what the load was, what it shows.
# The status is 1 if a row differs.  The files stay in FOLDER.  Readers that are not installed are skipped by name;
# speedscope and DuckDB come from npm.  No registry has the importer of the Firefox Profiler.
#
# The load: a program with 1000 writes of 1024 bytes, another one with 500 of 100000, and 20 datagrams of 100 bytes.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
top=$(cd "${0%/*}/.." && pwd)
dtrace=${DTRACE:-$top/build/dtrace}
scratch=$(mktemp -d)
work=${1:-$scratch/files}
mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
own=()
failed=0
format='%-18s %-42s %14s %14s  %s\n'

end() {
	local pid
	for pid in "${own[@]}"; do
		kill "$pid" 2>/dev/null
	done
	wait
	rm -rf "$scratch"
}
trap end EXIT
trap 'exit 1' INT TERM

# row READER QUESTION EXPECTED SHOWN: prints a row of the table.
row() {
	local note=
	[ "$3" = "$4" ] || { note=DIFFERENT; failed=1; }
	printf "$format" "$1" "$2" "$3" "$(head -n 1 <<<"$4" | cut -c -40)" "$note"
}

# has READER PROGRAM...: returns success if all programs are installed; otherwise prints that the reader is skipped.
has() {
	local program
	for program in "${@:2}"; do
		type -P "$program" >/dev/null || { echo "skipped (not installed: $program): $1"; return 1; }
	done
}

# wait_for SECONDS COMMAND...: returns success when the command does, and failure after these seconds.
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

printf "$format" reader question expected shown ''

# ---- metrics of two machines

# machine N: starts a dtrace that counts the writes of the program readers-N, and sets ${ports[N]}.
machine() {
	cp "$(type -P dd)" "$scratch/readers-$1"
	ports[$1]=$(free_port)
	"$dtrace" -q --metrics "127.0.0.1:${ports[$1]}" -n 'syscall::write:entry /execname == "readers-'"$1"'" && arg0 == 1/ {
		@writes = count(); @bytes = sum(arg2); @average = avg(arg2); @most = max(arg2);
		@sizes = quantize(arg2); @steps = lquantize(arg2, 0, 2000, 100); }' >"$work/metrics-$1.out" 2>&1 &
	own+=($!)
}

# traces N: makes a write, and returns success if it was counted.
traces() {
	"$scratch/readers-$1" if=/dev/zero of=/dev/null bs=1 count=1 status=none
	curl -s "127.0.0.1:${ports[$1]}/metrics" | grep -q '^dtrace_writes_total [1-9]'
}

# ask QUERY: prints the value that Prometheus answers.
ask() {
	promtool query instant "http://127.0.0.1:$web" "$1" 2>&1 | sed 's/.*=> \(.*\) @.*/\1/'
}

# finds QUERY VALUE
finds() {
	[ "$(ask "$1")" = "$2" ]
}

metrics() {
	has Prometheus prometheus promtool curl || return
	local first web
	declare -a ports
	machine 1
	machine 2
	if ! wait_for 20 traces 1 || ! wait_for 20 traces 2; then
		echo "dtrace serves no metrics"
		failed=1
		return
	fi
	# Writes of one byte that only found out whether tracing is on.
	first=$(for port in "${ports[@]}"; do curl -s "127.0.0.1:$port/metrics"; done |
		awk '$1 == "dtrace_writes_total" { n += $2 } END { print n }')
	"$scratch/readers-1" if=/dev/zero of=/dev/null bs=1024 count=1000 status=none
	"$scratch/readers-2" if=/dev/zero of=/dev/null bs=100000 count=500 status=none
	curl -s "127.0.0.1:${ports[1]}/metrics" >"$work/metrics"
	promtool check metrics <"$work/metrics" >"$work/promtool.out" 2>&1
	row promtool "check metrics: status" 0 $?
	printf 'scrape_configs:\n  - job_name: dtrace\n    scrape_interval: 1s\n    static_configs: [targets: ["127.0.0.1:%s", "127.0.0.1:%s"]]\n' \
		"${ports[@]}" >"$work/prometheus.yml"
	web=$(free_port)
	prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$scratch/tsdb" --log.level=error \
		--web.listen-address="127.0.0.1:$web" >"$work/prometheus.log" 2>&1 &
	own+=($!)
	wait_for 30 finds 'sum(dtrace_writes_total)' $((1500 + first))
	row Prometheus "count() of two machines" $((1500 + first)) "$(ask 'sum(dtrace_writes_total)')"
	row Prometheus "sum()" $((1024000 + 50000000 + first)) "$(ask 'sum(dtrace_bytes_total)' | awk '{ printf "%d", $1 }')"
	row Prometheus "avg(): its sum" $((1024000 + 50000000 + first)) "$(ask 'sum(dtrace_average_sum)' | awk '{ printf "%d", $1 }')"
	row Prometheus "max()" 100000 "$(ask 'max(dtrace_most)')"
	row Prometheus "quantize(): values up to 2047" $((1000 + first)) "$(ask 'sum(dtrace_sizes_bucket{le="2047"})')"
	row Prometheus "quantize(): median in the bucket of 1024" 1 \
		"$(ask '(histogram_quantile(0.5, sum by (le) (dtrace_sizes_bucket)) > bool 1023) * (histogram_quantile(0.5, sum by (le) (dtrace_sizes_bucket)) <= bool 2047)')"
	row Prometheus "quantize(): 90% in the bucket of 100000" 1 \
		"$(ask '(histogram_quantile(0.9, sum by (le) (dtrace_sizes_bucket)) > bool 65535) * (histogram_quantile(0.9, sum by (le) (dtrace_sizes_bucket)) <= bool 131071)')"
	row Prometheus "lquantize(): values beyond its bounds" 500 \
		"$(ask 'sum(dtrace_steps_bucket{le="+Inf"}) - sum(dtrace_steps_bucket{le="1999"})')"
}

# ---- files of one run

record() {
	"$dtrace" -q -x timeline --save "$work/run.jsonl" --pprof "@bytes=$work/bytes.pb.gz" --speedscope "@bytes=$work/bytes.json" \
		--perfetto "$work/run.perfetto" --chrome "$work/run.chrome" --ctf "$work/run.ctf" \
		-n 'syscall::write:entry /pid == $target && arg0 == 1/ { @bytes[ustack()] = sum(arg2); @sizes = quantize(arg2);
			self->is_on = 1; trace(arg2); }
		syscall::write:return /self->is_on/ { self->is_on = 0; trace(arg0); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=1024 count=1000 status=none' >"$work/run.out" 2>"$work/run.err"
	row dtrace "status of the run, bytes of messages" "0 0" "$? $(stat -c %s "$work/run.err")"
}

pprof() {
	has "go tool pprof" go || return
	go tool pprof -top -unit=B "$work/bytes.pb.gz" >"$work/pprof.out" 2>&1
	row "go tool pprof" "bytes of all stacks" 1024000B "$(sed -n 's/.* of \([0-9]*B\) total.*/\1/p' "$work/pprof.out")"
}

timelines() {
	if has babeltrace2 babeltrace2; then
		babeltrace2 "$work/run.ctf" >"$work/babeltrace2.out" 2>&1
		row babeltrace2 "beginnings of slices" 1000 "$(grep -c ':begin:' "$work/babeltrace2.out")"
	fi
	if has protoc protoc; then
		protoc -I "$top/test/kern" --decode=perfetto.Trace perfetto.proto <"$work/run.perfetto" >"$work/protoc.out" 2>&1
		row protoc "beginnings of slices of Perfetto" 1000 "$(grep -c 'type: TYPE_SLICE_BEGIN' "$work/protoc.out")"
	fi
	if has jq jq; then
		row jq "beginnings of slices of Chrome's events" 1000 "$(jq '[.traceEvents[] | select(.ph == "B")] | length' "$work/run.chrome" 2>&1)"
		row jq "events of Chrome without a category" 0 "$(jq '[.traceEvents[] | select(.cat == null)] | length' "$work/run.chrome" 2>&1)"
		row jq "records of the saved run" 2000 "$(jq -s '[.[] | select(.type == "record")] | length' "$work/run.jsonl" 2>&1)"
		row jq "sum() and its unit" "1024000 bytes" "$(jq -sr '[.[] | select(."aggregation-name" == "bytes")] | "\(map(.sum) | add) \(.[0].unit)"' "$work/run.jsonl" 2>&1)"
	fi
}

# from_npm READER PACKAGE: installs a package in $scratch/npm.
from_npm() {
	has "$1" node npm || return
	mkdir -p "$scratch/npm"
	(cd "$scratch/npm" && timeout 180 npm install --no-audit --no-fund --prefix . "$2") >"$scratch/npm.log" 2>&1 ||
		{ echo "skipped (npm cannot install $2): $1"; return 1; }
}

duckdb() {
	from_npm DuckDB @duckdb/node-api || return
	cat >"$scratch/npm/ask.mjs" <<-'END'
		import { DuckDBInstance } from '@duckdb/node-api';
		const connection = await (await DuckDBInstance.create()).connect();
		const answer = await connection.runAndReadAll(process.argv[2]);
		console.log(answer.getRows().map((row) => row.join(' ')).join('\n'));
	END
	row DuckDB "records, and the sum of entries' values" "2000 1024000" "$(node "$scratch/npm/ask.mjs" \
		"select count(*), sum(case when name = 'entry' then cast(output[1].value as bigint) end) from read_json_auto('$work/run.jsonl') where type = 'record'" 2>&1)"
}

speedscope() {
	local url
	has speedscope chromium && from_npm speedscope speedscope || return
	cp "$work/bytes.json" "$work/run.chrome" "$scratch/npm/node_modules/speedscope/dist/release"
	python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$scratch/npm/node_modules/speedscope/dist/release" >"$scratch/http.log" 2>&1 &
	own+=($!)
	wait_for 10 grep -q '(http' "$scratch/http.log"
	url=$(sed -n 's/.*(\(http[^)]*\)\/).*/\1/p' "$scratch/http.log")
	row speedscope "bytes of write()" "1000.00 KB" "$(table bytes.json | grep -A 2 '(100%)' | sed -n 's/ (100%)//p' | head -n 1)"
	row speedscope "functions of Chrome's events" write "$(table run.chrome | sed -n '/^Symbol Name$/,$s/^\([a-z]*\) {.*/\1/p' | sort -u)"
}

# table FILE: prints the cells that speedscope shows of a file, in its sandwich view.
table() {
	timeout 60 chromium --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader \
		--user-data-dir="$scratch/chromium" --virtual-time-budget=20000 --dump-dom \
		"$url/index.html#profileURL=$url/$1&view=sandwich" 2>"$scratch/chromium.log" |
		sed 's/<[^>]*>/\n/g' | grep -v '^ *$' | tee "$work/speedscope.$1.out"
}

# ---- packets

packets() {
	has tshark tshark capinfos unshare || return
	cat >"$scratch/readers-load" <<-'END'
		import ctypes, socket
		ctypes.CDLL(None).prctl(15, b'readers-load', 0, 0, 0)
		r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); r.bind(('127.0.0.1', 0))
		s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		for i in range(20): s.sendto(b'x' * 100, r.getsockname()); r.recv(200)
	END
	printf 'ip link set lo up\nexec python3 %s\n' "$scratch/readers-load" >"$scratch/readers-net"
	rm -f "$work/packets.pcap"
	for _ in 1 2; do
		"$dtrace" -q -w -n 'rawtp:::net_dev_queue /execname == "readers-load"/ { freopen("'"$work/packets.pcap"'");
			pcap(args[0], PCAP_ETHER); freopen(""); }' \
			-c "unshare -n sh $scratch/readers-net" >"$work/packets.out" 2>&1
	done
	row tshark "datagrams of two runs in one file" 40 "$(tshark -r "$work/packets.pcap" 2>/dev/null | grep -c UDP)"
	row capinfos "packets" 40 "$(capinfos -c -M "$work/packets.pcap" 2>&1 | sed -n 's/^Number of packets: *//p')"
	row capinfos "bytes of the packets" $((40 * 142)) "$(capinfos -d -M "$work/packets.pcap" 2>&1 | sed -n 's/^Data size: *\([0-9]*\).*/\1/p')"
}

metrics
record
pprof
timelines
packets
speedscope
duckdb
exit $failed
