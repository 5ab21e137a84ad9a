#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# exporter.t: scraped metrics of --metrics agree with what programs did.
# rows: --metrics -xmetrics -xmetricsmax -xmetricshost
# guests: none
# needs: curl python3
. "${0%/*}/lib.sh"

# free_port: prints a port without a listener.
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

port=$(free_port)
metrics=http://127.0.0.1:$port/metrics
name=dtr-dd-$$
cp "$(type -P dd)" "$work/$name"

# work_on SIZE COUNT: makes COUNT writes of this size, by a program of this name.
work_on() {
	"$work/$name" if=/dev/zero of=/dev/null bs="$1" count="$2" status=none
}

scrape() {
	curl -s -m 20 "$@" "$metrics"
}

# sample NAME-AND-LABELS: prints the value in the last scraped text.
sample() {
	name=$1 awk '$1 == ENVIRON["name"] { print $2 }' "$work/scraped"
}

dtrace_start -q --metrics "127.0.0.1:$port" -x metricsmax=10 -n '
	syscall::write:entry /execname == "'"$name"'" && arg0 == 1/ {
		@writes[execname, probefunc] = count(); @bytes[stringof(execname)] = sum(arg2);
		@sizes[execname] = quantize(arg2); @levels = lquantize(arg2, 0, 100, 10); @average = avg(arg2);
		@least = min(arg2); @most = max(arg2); @down = sum(-1); @cleared = count();
		@most_cleared = max(arg2); @truncated = count(); normalize(@writes, 10); @["a\\b\"c\n"] = count();
		n++; @many[n] = sum(n);
	}
	tick-20hz { clear(@cleared); clear(@most_cleared); trunc(@truncated); }'
work_on 8 20
work_on 50 10
scrape >"$work/scraped"
while read -r what want; do
	is "$(sample "$what")" "$want" "$what"
done <<END
dtrace_writes_total{execname="$name",probefunc="write"} 30
dtrace_bytes_total{key0="$name"} 660
dtrace_sizes_bucket{execname="$name",le="7"} 0
dtrace_sizes_bucket{execname="$name",le="15"} 20
dtrace_sizes_bucket{execname="$name",le="31"} 20
dtrace_sizes_bucket{execname="$name",le="63"} 30
dtrace_sizes_bucket{execname="$name",le="+Inf"} 30
dtrace_levels_bucket{le="9"} 20
dtrace_levels_bucket{le="59"} 30
dtrace_average_count 30
dtrace_average_sum 660
dtrace_least 8
dtrace_most 50
dtrace_down -30
dtrace_aggregation_total{key0="a\\\\b\\"c\\n"} 30
dtracer_up 1
dtracer_drops_total{kind="principal"} 0
dtracer_rows_omitted{aggregation="many"} 20
END
is "$(grep -c '^dtrace_many_total{n=' "$work/scraped")" 10 "no more rows than metricsmax"
is "$(sample 'dtrace_many_total{n="29"}')" 29 "but the largest"
for _ in 1 2 3; do
	sleep 0.15
	work_on 8 100
done
sleep 0.2
scrape -H 'Accept: application/openmetrics-text; version=1.0.0' >"$work/scraped"
is "$(sample dtrace_cleared_total)" 330 "clear() takes no counter back"
is "$(sample dtrace_most_cleared)" "" "but a gauge, which is not there without a value"
is "$(sample dtrace_truncated_total)" "" "trunc() ends a row"
is "$(sample "dtrace_writes_total{execname=\"$name\",probefunc=\"write\"}")" 330 "what comes between two scrapes is added"
is "$(tail -n 1 "$work/scraped")" '# EOF' "OpenMetrics for who takes it"
has "$work/scraped" '^# HELP dtrace_writes count\(\) at syscall::write:entry$' "the probe is in the help"
if type -P promtool >/dev/null; then
	scrape | promtool check metrics >"$work/lint" 2>&1
	is "$?$(cat "$work/lint")" 0 "promtool finds nothing"
else
	skip "promtool finds nothing" "not installed: promtool"
fi

scrape -D "$work/head" -o "$work/scraped"
has "$work/head" '^Content-Type: text/plain; version=0.0.4; charset=utf-8' "the older format for all others"
is "$(curl -s -o "$work/other" -w '%{http_code}' "http://127.0.0.1:$port/")" 404 "no other page exists"
is "$(scrape -d x -o "$work/other" -w '%{http_code}')" 405 "nothing can be sent"
is "$(scrape -I -o "$work/other" -w '%{http_code}')" 200 "HEAD"

# A client that sends nothing, or reads nothing, stops neither others nor tracing.
python3 - "$port" >"$work/python" 2>&1 <<'END' &
import socket, sys, time
held = []
for i in range(20):
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    s.sendall([b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 20][i % 3])
    held.append(s)
print("held", flush=True)
time.sleep(60)
END
silent=$!
own_pids+=("$silent")
wait_for 10 grep -q held "$work/python"
work_on 8 10
scrape >"$work/scraped"
is "$(sample dtrace_cleared_total)" 340 "others are served while some are silent"
timeout -k 5 20 "$dtrace" --metrics "127.0.0.1:$port" -n 'BEGIN { trace("began"); exit(0); }' >"$work/second" 2>&1
is $? 2 "a port that is taken"
is "$(cat "$work/second")" "dtrace: could not serve metrics at '127.0.0.1:$port': Address already in use" "an address in use is reported before tracing"

# Another machine, whose values are larger.  Counts of two machines add up because their bounds are equal.
port2=$(free_port)
cp "$work/$name" "$work/$name-2"
"$dtrace" -q --metrics "127.0.0.1:$port2" -n '
	syscall::write:entry /execname == "'"$name-2"'" && arg0 == 1/ { @sizes["'"$name"'"] = quantize((size_t)arg2); }' \
	>"$work/second" 2>&1 &
second=$!
own_pids+=("$second")
wait_for 20 is_tracing "$second"
work_on_2() {
	"$work/$name-2" if=/dev/zero of=/dev/null bs="$1" count="$2" status=none
}
scrape_2() {
	curl -s -m 20 "http://127.0.0.1:$port2/metrics" >"$work/scraped"
}
work_on_2 1000 50
scrape_2
is "$(sample "dtrace_sizes_bucket{key0=\"$name\",le=\"1048575\"}")" 50 "buckets above all values"
is "$(sample "dtrace_sizes_bucket{key0=\"$name\",le=\"1\"}")" 0 "and below"
before=$(grep -c _bucket "$work/scraped")
work_on_2 100000 50
scrape_2
is "$(grep -c _bucket "$work/scraped")" "$before" "a larger value makes no new series"

# Prometheus scrapes them and answers queries.
cat >"$work/prometheus.yml" <<END
scrape_configs:
  - job_name: dtrace
    scrape_interval: 1s
    static_configs: [targets: ["127.0.0.1:$port", "127.0.0.1:$port2"]]
END
web=$(free_port)

# query TEXT: prints its value in Prometheus.
query() {
	curl -s -m 10 --data-urlencode "query=$1" "http://127.0.0.1:$web/api/v1/query" |
		python3 -c 'import json, sys; print(*(r["value"][1] for r in json.load(sys.stdin)["data"]["result"]))'
}

# finds TEXT VALUE
finds() {
	[ "$(query "$1" 2>/dev/null)" = "$2" ]
}

if type -P prometheus >/dev/null; then
	prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" --log.level=error \
		--web.listen-address="127.0.0.1:$web" >"$work/prometheus.log" 2>&1 &
	own_pids+=($!)
	ok "Prometheus finds it up" wait_for 30 finds 'sum(up{job="dtrace"})' 2 || note_file prometheus "$work/prometheus.log"
	ok "and a counter" wait_for 10 finds "dtrace_writes_total{execname=\"$name\"}" 340
	work_on 8 60
	ok "which goes on" wait_for 10 finds "dtrace_writes_total{execname=\"$name\"}" 400
	is "$(query "histogram_quantile(0.5, dtrace_sizes_bucket{execname=\"$name\"}) < bool 16")" 1 "and a histogram"
	# 400 values up to 50, 50 of 1000 and 50 of 100000: the 425th of 500 is in the bucket from 512 to 1023.
	ok "the values of both" wait_for 10 finds 'sum(dtrace_sizes_bucket{le="+Inf"})' 500
	quantile='histogram_quantile(0.85, sum by (le) (dtrace_sizes_bucket))'
	is "$(query "$quantile > bool 511") $(query "$quantile <= bool 1023")" "1 1" "the quantile of two machines" ||
		note "$(query "$quantile")"
	end_pid "${own_pids[-1]}"
else
	skip "Prometheus scrapes" "Debian's prometheus is not installed"
fi
dtrace_stop
end_pid "$second"
end_pid "$silent"
is "$(grep -c . "$work/out")" 1 "what is scraped is not printed at the end, too"

for address in ::1:9464 127.0.0.1:99999 192.0.2.1:9464; do
	dtrace_run --metrics "$address" -n 'BEGIN { trace("began"); exit(0); }'
	is "$status$(cat "$work/out")" 2 "no address: $address"
	has "$work/err" "^dtrace: could not serve metrics at '$address': [a-zA-Z]" "... and a message says why"
done
# Names that look like parts of other metrics are accepted, or refused before tracing.
for pair in '@x = count(); @x_total = sum(5);' '@a = avg(3); @a_sum = max(9);' '@a = quantize(3); @a_bucket = max(9);' \
	'@ = count(); @aggregation = count();'; do
	for out in "metrics 127.0.0.1:$port" "otlp http://127.0.0.1:$port"; do
		# shellcheck disable=SC2086
		dtrace_run -q --$out -n "BEGIN { $pair trace(\"began\"); exit(0); }"
		is "$status$(cat "$work/out")" 2 "refused by --${out% *}: $pair"
		has "$work/err" '^dtrace: cannot export @[a-z_]* and @[a-z_]*: both have the metric dtrace_[a-z_]*; rename one$' \
			"... and a message names both"
	done
done
dtrace_start -q --metrics "127.0.0.1:$port" -n 'BEGIN { this->quantile = "x"; this->le = "y"; this->job = 1;
	@sizes[this->quantile, this->le, this->job] = avg(1); @hist[this->quantile, this->le] = quantize(1); @_total = count();
	@total = count(); @sizes_info = count(); @xs_total = sum(1); @hist_max = max(1); @negative = quantize(-1); @logs = llquantize(5, 10, 0, 3, 10); }'
metrics=http://127.0.0.1:$port/metrics
scrape >"$work/scraped"
if type -P promtool >/dev/null; then
	promtool check metrics <"$work/scraped" >"$work/lint" 2>&1
	is "$?$(cat "$work/lint")" 0 "promtool accepts such names"
fi
is "$(grep -c '^dtrace_sizes_sum{' "$work/scraped")" 1 "a label of a summary has no name with a meaning"
dtrace_stop
dtrace_start -q -n "#pragma D option metrics=[::1]:$port
	BEGIN { @begun = count(); }"
metrics=http://[::1]:$port/metrics
scrape >"$work/scraped"
is "$(sample dtrace_begun_total)" 1 "as a pragma, by IPv6"
dtrace_stop

# Names of this machine, paths, and slow clients.
# status_of ARG...: prints the status that curl gets.
status_of() {
	curl -s -m 20 -o /dev/null -w '%{http_code}' "$@"
}
dtrace_start -q --metrics "127.0.0.1:$port" -x metricshost=one.example,two.example -n 'BEGIN { @begun = count(); }'
metrics=http://127.0.0.1:$port/metrics
for host in localhost "localhost:$port" 127.0.0.1 '[::1]:9' "$(hostname)" Two.example "one.example:$port"; do
	is "$(status_of -H "Host: $host" "$metrics")" 200 "a request to $host"
done
for host in evil.example one.example.evil.example two 'one.example,two.example'; do
	is "$(status_of -H "Host: $host" "$metrics")" 403 "a request to $host is refused"
done
for path in metrics%00 metrics%00x %6detrics metrics/ ''; do
	is "$(status_of "http://127.0.0.1:$port/$path")" 404 "nothing is at /$path"
done
python3 -c '
import socket, sys, time
clients = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for i in range(300)]
print("connected", flush=True)
cut = 0
while cut < 256:
    time.sleep(1)
    for c in list(clients):
        try:
            c.send(b"G")
        except OSError:
            clients.remove(c)
            cut += 1
print("cut off")' "$port" >"$work/slow" 2>&1 &
slow=$!
own_pids+=($slow)
wait_for 20 grep -q connected "$work/slow"
is "$(status_of "$metrics")" 200 "300 slow clients do not keep one out"
wait_for 20 grep -q "cut off" "$work/slow"
has "$work/slow" "cut off" "as they are cut off"
end_pid $slow
dtrace_stop
dtrace_start -q --metrics "[::1]:$port" -x dynvarsize=64 -n 'BEGIN { a[1] = 1; a[2] = 2; a[3] = 3; a[4] = 4; }'
metrics=http://[::1]:$port/metrics
has_lost() {
	scrape >"$work/scraped"
	grep -q "^dtrace: $(sample 'dtracer_drops_total{kind="dynamic"}') dynamic variable drops" "$work/err"
}
ok "metrics count the reported losses" wait_for 10 has_lost
end_pid "$dtrace_pid" INT
dtrace_start -q -E -x "target=a=exec:$dtrace --agent" --metrics "[::1]:$port" -n 'host:dtrace:::BEGIN, a:dtrace:::BEGIN { @begun[vmname] = count(); @begun_all = count(); }'
# BEGIN of a target fires when the agent starts it.
target_began() {
	scrape >"$work/scraped"
	[ "$(sample dtrace_begun_all_total)" = 2 ]
}
wait_for 10 target_began
is "$(sample dtrace_begun_all_total)$(sample 'dtrace_begun_total{vmname="a"}')" 21 "what targets have counted is added"
dtrace_stop
done_testing
