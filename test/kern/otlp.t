#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# otlp.t: --otlp: a collector receives what programs did: metrics, spans and logs.  test/packages sends the same to VictoriaMetrics.
# rows: --otlp -xotlp -xotlprate
# guests: none
# needs: openssl python3
. "${0%/*}/lib.sh"
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY
name=dtr-dd-$$
cp "$(type -P dd)" "$work/$name"

# A collector.  Each request is a line of $work/got.  The answer is in $work/answer: a status and a text; with "wait" there
# is no answer.
cat >"$work/collector.py" <<'END'
import http.server, json, socket, ssl, struct, sys, time
work = sys.argv[1]
# Messages of the protocol: by number a name, with * if there can be several, and the type.
NUMBER = {2: ("startTimeUnixNano", "fixed"), 3: ("timeUnixNano", "fixed"), 6: ("asInt", "sfixed"), 7: ("attributes*", "key")}
HISTOGRAM = {2: ("startTimeUnixNano", "fixed"), 3: ("timeUnixNano", "fixed"), 4: ("count", "fixed"), 9: ("attributes*", "key"),
             6: ("bucketCounts", "fixeds"), 7: ("explicitBounds", "doubles")}
SUMMARY = {2: ("startTimeUnixNano", "fixed"), 3: ("timeUnixNano", "fixed"), 4: ("count", "fixed"), 5: ("sum", "double"),
           7: ("attributes*", "key")}
MESSAGES = {
    "request": {1: ("resourceMetrics*", "of")},
    "of": {1: ("resource", "resource"), 2: ("scopeMetrics*", "scopes")},
    "resource": {1: ("attributes*", "key")},
    "scopes": {1: ("scope", "scope"), 2: ("metrics*", "metric")},
    "scope": {1: ("name", "text")},
    "key": {1: ("key", "text"), 2: ("value", "value")},
    "value": {1: ("stringValue", "text"), 3: ("intValue", "int")},
    "/v1/traces": {1: ("resourceSpans*", "spansof")},
    "spansof": {1: ("resource", "resource"), 2: ("scopeSpans*", "scopespans")},
    "scopespans": {1: ("scope", "scope"), 2: ("spans*", "span")},
    "span": {1: ("traceId", "bytes"), 2: ("spanId", "bytes"), 4: ("parentSpanId", "bytes"), 5: ("name", "text"), 6: ("kind", "int"),
             7: ("startTimeUnixNano", "fixed"), 8: ("endTimeUnixNano", "fixed"), 9: ("attributes*", "key")},
    "/v1/logs": {1: ("resourceLogs*", "logsof")},
    "logsof": {1: ("resource", "resource"), 2: ("scopeLogs*", "scopelogs")},
    "scopelogs": {1: ("scope", "scope"), 2: ("logRecords*", "log")},
    "log": {1: ("timeUnixNano", "fixed"), 5: ("body", "value"), 6: ("attributes*", "key"), 9: ("traceId", "bytes"),
            10: ("spanId", "bytes"), 11: ("observedTimeUnixNano", "fixed"), 12: ("eventName", "text")},
    "metric": {1: ("name", "text"), 2: ("description", "text"), 5: ("gauge", "gauge"), 7: ("sum", "sum"), 9: ("histogram", "histogram"),
               11: ("summary", "summary")},
    "gauge": {1: ("dataPoints*", "number")},
    "sum": {1: ("dataPoints*", "number"), 2: ("aggregationTemporality", "int"), 3: ("isMonotonic", "int")},
    "histogram": {1: ("dataPoints*", "histogrampoint"), 2: ("aggregationTemporality", "int")},
    "summary": {1: ("dataPoints*", "summarypoint")},
    "number": NUMBER, "histogrampoint": HISTOGRAM, "summarypoint": SUMMARY,
}
def varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return n, at
def decode(data, message):
    out = {name[:-1]: [] for name, _ in MESSAGES[message].values() if name.endswith("*")}
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        name, kind = MESSAGES[message][tag >> 3]
        if tag & 7 == 0:
            value, at = varint(data, at)
            assert kind == "int"
        elif tag & 7 == 1:
            (value,) = struct.unpack_from({"fixed": "<Q", "sfixed": "<q", "double": "<d"}[kind], data, at)
            at += 8
        else:
            assert tag & 7 == 2
            n, at = varint(data, at)
            part, at = data[at:at + n], at + n
            assert len(part) == n
            if kind == "text":
                value = part.decode()
            elif kind == "bytes":
                value = part.hex()
            elif kind in ("fixeds", "doubles"):
                value = list(struct.unpack(f"<{n // 8}{'Q' if kind == 'fixeds' else 'd'}", part))
            else:
                value = decode(part, kind)
        if name.endswith("*"):
            out[name[:-1]].append(value)
        else:
            assert name not in out
            out[name] = value
    return out
class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path = self.path.partition("?")[0].rstrip("/")
        message = next((m for m in MESSAGES if m.startswith("/") and path.endswith(m)), "request")
        with open(work + "/got", "a") as f:
            json.dump({"path": self.path, "type": self.headers["Content-Type"], "token": self.headers["X-Token"],
                       "body": decode(body, message)}, f)
            f.write("\n")
        status, _, text = open(work + "/answer", "rb").read().partition(b" ")
        if status == b"wait":
            time.sleep(60)
        self.send_response(int(status))
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *args):
        pass
if ":" in sys.argv[3]:
    http.server.ThreadingHTTPServer.address_family = socket.AF_INET6
server = http.server.ThreadingHTTPServer((sys.argv[3], int(sys.argv[2])), Collector)
if len(sys.argv) > 4:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4])
    context.load_verify_locations(sys.argv[4])
    context.verify_mode = ssl.CERT_REQUIRED
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
END
# Prints the values of a metric and row in the last request, without times: how=last|first.
cat >"$work/look.py" <<'END'
import json, sys
work, name, labels = sys.argv[1], sys.argv[2], dict(a.split("=", 1) for a in sys.argv[3:])
# The last line can be in the making.
body = json.loads([l for l in open(work + "/got") if l.endswith("\n") and "resourceMetrics" in l][-1])["body"]
(resource,) = body["resourceMetrics"]
(scope,) = resource["scopeMetrics"]
def attributes(o):
    return {a["key"]: a["value"]["stringValue"] for a in o["attributes"]}
if name == "resource":
    print(*(f"{k}={v}" for k, v in sorted(attributes(resource["resource"]).items()) if k != "host.name"))
for m in scope["metrics"]:
    if m["name"] != name:
        continue
    (kind,) = m.keys() & {"sum", "gauge", "summary", "histogram"}
    for p in m[kind]["dataPoints"]:
        if attributes(p) == labels:
            assert 1.7e18 < int(p["timeUnixNano"]) and int(p.get("startTimeUnixNano", 0)) < int(p["timeUnixNano"])
            print(kind, m[kind].get("isMonotonic", ""), m[kind].get("aggregationTemporality", ""),
                  *(json.dumps(p[k]) for k in ("asInt", "count", "sum", "bucketCounts", "explicitBounds") if k in p))
END
# records.py DIRECTORY spans|logs: prints all of them, a line each: the name, some attributes, and the name of the span
# around it, or its trace and number if the span is elsewhere.
cat >"$work/records.py" <<'END'
import json, sys
work, wanted = sys.argv[1:]
def items(path, outer, inner):
    for line in open(work + "/got"):
        request = json.loads(line)
        if request["path"] != path:
            continue
        (of,) = request["body"]["resource" + outer]
        assert {"key": "service.name", "value": {"stringValue": "dtrace"}} in of["resource"]["attributes"]
        (scope,) = of["scope" + outer]
        yield from scope[inner]
def show(item, name, around):
    data = {a["key"]: next(iter(a["value"].values())) for a in item["attributes"]}
    assert len(data) == len(item["attributes"]), data
    of = spans.get(around)
    assert not of or of["traceId"] == item["traceId"]
    print(name, *(f"{k}={v}" for k, v in data.items() if k.startswith(("value", "end_", "thread.name"))),
          "of", of["name"] if of else f"{item['traceId']}/{around}" if around else None)
spans = {}
for span in items("/v1/traces", "Spans", "spans"):
    assert span["spanId"] not in spans and len(span["traceId"]) == 32
    assert 1.7e18 < span["startTimeUnixNano"] <= span["endTimeUnixNano"]
    spans[span["spanId"]] = span
if wanted == "spans":
    for span in spans.values():
        show(span, span["name"], span.get("parentSpanId"))
else:
    for log in items("/v1/logs", "Logs", "logRecords"):
        assert 1.7e18 < log["timeUnixNano"] and log["eventName"]
        show(log, log["body"]["stringValue"], log.get("spanId"))
END
# collect PORT [ADDRESS [CERTIFICATE]]: starts a collector; with CERTIFICATE it uses TLS and requires the same
# certificate from clients.
collect() {
	: >"$work/got"
	: >"$work/port"
	python3 "$work/collector.py" "$work" "$1" "${2:-127.0.0.1}" ${3:+"$3"} >"$work/port" 2>"$work/collector.err" &
	collector=$!
	own_pids+=("$collector")
	wait_for 10 test -s "$work/port"
	port=$(cat "$work/port")
}
records() {
	python3 "$work/records.py" "$work" "$@" 2>&1
}
look() {
	python3 "$work/look.py" "$work" "$@" 2>&1
}
# answer FORMAT: sets the answer at once, because the collector can read it at any time.
answer() {
	# shellcheck disable=SC2059
	printf "$1" >"$work/answer.new" && mv "$work/answer.new" "$work/answer"
}

# has_got N: at least N requests with metrics have come; one_more: another one has come.
got() {
	grep -c resourceMetrics "$work/got"
}
has_got() {
	[ "$(got)" -ge "$1" ]
}
one_more() {
	wait_for 10 has_got $(($(got) + 1))
}
tells() {
	grep -q -- "$1" "$work/err"
}

answer '200 '
collect 0
OTEL_EXPORTER_OTLP_HEADERS='x-token=a%20b,,=,odd' OTEL_RESOURCE_ATTRIBUTES='team=disks, zone=a%2Cb' OTEL_SERVICE_NAME=writes \
	dtrace_start -q --otlp "http://127.0.0.1:$port" -x otlprate=100ms -n '
	syscall::write:entry /execname == "'"$name"'" && arg0 == 1/ {
		@writes[execname, probefunc] = count(); @sizes = quantize(arg2); @average = avg(arg2);
		@least = min(arg2); @down = sum(-1); @cleared = count();
	}
	tick-20hz { clear(@cleared); }'
"$work/$name" if=/dev/zero of=/dev/null bs=8 count=20 status=none
"$work/$name" if=/dev/zero of=/dev/null bs=50 count=10 status=none
one_more && one_more
is "$(look dtrace_writes "execname=$name" probefunc=write)" 'sum 1 2 30' "a counter, while tracing goes on"
"$work/$name" if=/dev/zero of=/dev/null bs=8 count=300 status=none
dtrace_stop
is "$(look dtrace_writes "execname=$name" probefunc=write)" 'sum 1 2 330' "a counter, at the end"
# The values are signed: a count for each power of two on both sides of 0, whatever was counted.
is "$(look dtrace_sizes)" "$(python3 -c '
upper = [-2.0 ** i for i in range(62, -1, -1)] + [0.0] + [float(2 ** i - 1) for i in range(1, 63)]
print("histogram  2 330", [{15.0: 320, 63.0: 10}.get(u, 0) for u in upper] + [0], upper)')" "a histogram"
is "$(look dtrace_average)" 'summary   330 3060.0' "a summary"
is "$(look dtrace_least)" 'gauge   8' "a gauge"
is "$(look dtrace_down)" 'gauge   -330' "what sinks is one"
is "$(look dtrace_cleared)" 'sum 1 2 330' "clear() takes no counter back"
is "$(look dtracer_up) $(look dtracer_drops kind=principal)" 'gauge   0 sum 1 2 0' "what dtrace says of itself"
is "$(look dtracer_rows_omitted aggregation=writes)" 'gauge   0' "rows beyond metricsmax"
is "$(look resource)" "service.name=writes team=disks zone=a,b" "the environment says what it is about"
is "$(tail -n 1 "$work/got" | grep -o '"path": "[^"]*", "type": "[^"]*", "token": "[^"]*"')" \
	'"path": "/v1/metrics", "type": "application/x-protobuf", "token": "a b"' "path, type and header"
is "$(cat "$work/out")" READY "nothing is printed at the end, too"

# A refusal of the collector is reported once, and the data is sent again.
answer '503 busy'
dtrace_start -q --otlp "http://127.0.0.1:$port/a/b?c" -x otlprate=50ms -n 'BEGIN { @begun = count(); }'
one_more && one_more && one_more
answer '200 \x0a\x00'
ok "a message says that sending works again" wait_for 10 tells 'sending metrics to .* works again; it failed [0-9]* times'
is "$(look dtrace_begun)" 'sum 1 2 1' "and nothing is lost"
answer '200 \x0a\x0f\x08\x03\x12\x0btoo \e[1mold'
ok "a message has the rejected data points" wait_for 10 tells ': 3 data points rejected: too \\033\[1mold'
answer '200 '
one_more
end_pid "$dtrace_pid" INT
is $? 0 "all is well in the end"
is "$(grep -c 'HTTP status 503: busy$' "$work/err")" 1 "only the first of several refusals is reported"
is "$(grep -c rejected "$work/err")" 1 "of rejected ones, too"
ok "the path of the URL is taken" grep -q '"path": "/a/b?c"' "$work/got"

answer '404 not here'
dtrace_run -q --otlp "http://127.0.0.1:$port" -n 'BEGIN { @begun = count(); exit(0); }'
is "$status" 1 "the last ones are not taken: the status"
answer '200 '
dtrace_run -q -O --otlp "http://127.0.0.1:$port" -n 'BEGIN { @begun["x"] = count(); exit(3); }'
is "$status$(tr -s ' \n' ' ' <"$work/out")" "3 x 1 " "with -O they are printed, too"

# A collector that does not answer delays neither tracing nor its end.
answer wait
dtrace_start -q --otlp "http://127.0.0.1:$port" -x otlprate=50ms -n 'tick-100hz { n++; } tick-10hz /n > 20/ { printf("%s\n", "goes on"); exit(0); }'
ok "tracing goes on" wait_for 10 grep -q 'goes on' "$work/out"
wait "$dtrace_pid"
is $? 1 "the exit status shows the refusal"
has "$work/err" "^dtrace: could not send metrics to 'http://127.0.0.1:$port': the last metrics were not accepted in time" "and a message"
dtrace_start -q --otlp "http://127.0.0.1:$port" -n 'BEGIN { @begun = count(); }'
: >"$work/got"
kill -INT "$dtrace_pid"
wait_for 10 has_got 1
sleep 0.3
kill -INT "$dtrace_pid"
ok "a second signal ends the wait for it" wait_for 4 is_gone "$dtrace_pid"
wait "$dtrace_pid"

# A collector that starts later, and one that is gone.
end_pid "$collector"
dtrace_start -q --otlp "http://127.0.0.1:$port" -x otlprate=50ms -n 'BEGIN { @begun = count(); }'
ok "a message says that no collector listens" wait_for 10 tells "^dtrace: could not send metrics to 'http://127.0.0.1:$port': .*refused\|connect"
answer '200 '
collect "$port"
one_more
is "$(look dtrace_begun)" 'sum 1 2 1' "one that comes later gets all"
end_pid "$collector"
end_pid "$dtrace_pid" INT
is $? 1 "the exit status shows that the collector is gone"

collect 0
http_proxy=http://127.0.0.1:$port dtrace_run -q --otlp http://collector.invalid -n 'BEGIN { @begun = count(); exit(0); }'
is "$status $(look dtrace_begun)" '0 sum 1 2 1' "by a proxy"
ok "the path of the URL" grep -q '"path": "http://collector.invalid/v1/metrics"' "$work/got"
end_pid "$collector"

# Records are spans and logs.
collect 0
d='syscall::write:entry /pid == $target && arg0 == 1/ { trace(arg2); } syscall::write:return /pid == $target && arg1 == 8/ { trace(arg1); }
syscall::read:return /pid == $target && arg0 == 8/ { printf("got %d", arg0); }'
dd="$work/$name if=/dev/zero of=/dev/null bs=8 count=20 status=none"
dtrace_run -q --save "$work/run.jsonl" --otlp "http://127.0.0.1:$port" -n "$d" -c "$dd"
has "$work/out" 'got 8' "spans and logs are printed"
for run in 'the run' 'the saved run'; do
	is "$status$(cat "$work/err")" 0 "$run: spans and logs"
	is "$(records spans | sort | uniq -c | tr -s ' ')" " 20 write thread.name=$name value=8 end_value=8 of None" "$run: spans"
	is "$(records logs | sed 's/^pid [0-9]*/pid N/' | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
		" 20 got 8 thread.name=$name value=8 of None; 1 pid N has exited of None;" "$run: logs"
	grep v1/traces "$work/got" | grep -oE '"(start|end)TimeUnixNano": [0-9]*' | sort >"$work/times of $run"
	: >"$work/got"
	dtrace_run --from "$work/run.jsonl" --otlp "http://127.0.0.1:$port"
done
ok "the same times" cmp -s "$work/times of the run" "$work/times of the saved run" || note "$(diff "$work/times of the run" "$work/times of the saved run")"
: >"$work/got"
dtrace_run --from "$work/run.jsonl" --otlp "http://127.0.0.1:$port/v1/traces"
is "$status$(cut -d ' ' -f 2 "$work/got" | sort -u)" '0"/v1/traces",' "a path is for one signal of a saved run, too"
"$dtrace" -qn 'BEGIN { trace(1); exit(0); }' --libxo jsonl >"$work/bare.jsonl"
dtrace_run --from "$work/bare.jsonl" --otlp "http://127.0.0.1:$port/v1/logs"
has "$work/err" 'its records have no threads; save them with -x timeline' "records without threads"
is $status 1 "are an error"
end_pid "$collector"
collect 0
d='syscall::read:return /pid == $target && arg0 == 8 && !n/ { n = 1; span_begin("work", "x", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"); span_begin("part"); }
syscall::write:entry /pid == $target && n == 1/ { n = 2; trace("in"); }
syscall::read:return /pid == $target && n == 2/ { n = 3; span_end(); span_end("x"); }'
dtrace_run -q --otlp "http://127.0.0.1:$port/v1/traces" -n "$d" -c "$dd"
is "$status$(cat "$work/err")" 0 "spans with the context of the program"
is "$(records spans | sort | tr '\n' ';')" "part thread.name=$name of None;work thread.name=$name of 4bf92f3577b34da6a3ce929d0e0e4736/00f067aa0ba902b7;" "a remote parent"
is "$(grep -c v1/logs "$work/got") $(got)" "0 0" "a path is for one signal: spans"
dtrace_run -q --otlp "http://127.0.0.1:$port/v1/logs" -n "$d" -c "$dd"
is "$(records logs | sed '/^pid/d; s/ of .*//') $(got)" "write:entry thread.name=$name value=in 0" "logs"
end_pid "$collector"
# paths URL: prints the paths of requests for a program with an aggregation and a record.
paths() {
	: >"$work/got"
	dtrace_run -q --otlp "$1" -n 'BEGIN { @n = count(); trace(1); exit(0); }'
	grep -o '"path": "[^"]*"' "$work/got" | cut -d'"' -f4 | sort -u | tr '\n' ' '
}
collect 0
is "$(paths "http://127.0.0.1:$port")" '/v1/logs /v1/metrics ' "without a path records are sent, too"
is "$(paths "http://127.0.0.1:$port/?a=/b")" '/v1/logs?a=/b /v1/metrics?a=/b ' "a query is no path"
is "$(paths "http://127.0.0.1:$port?a=/b")" '/v1/logs?a=/b /v1/metrics?a=/b ' "nor without a slash"
is "$(paths "http://127.0.0.1:$port/x/v1/logs?a=b")" '/x/v1/logs?a=b ' "nor its end"
is "$(paths "http://127.0.0.1:$port/v1/logs/")" '/v1/logs/ ' "a slash at the end changes nothing"
is "$(paths "http://127.0.0.1:$port/logs")" '/logs ' "another path"
is "$(got)" 1 "is for metrics"
end_pid "$collector"
# If a collector cannot take a message now, dtrace sends it again.  If the collector refuses it, dtrace reports that.
answer '503 busy'
collect 0
dtrace_start -q --otlp "http://127.0.0.1:$port" -x otlprate=50ms -n 'tick-10hz { trace(++n); } tick-10hz /n == 20/ { exit(0); }'
ok "a refusal is reported" wait_for 10 tells "could not send logs to .*: HTTP status 503: busy"
answer '200 '
wait "$dtrace_pid"
is $? 0 "and all is well in the end"
is "$(records logs | grep -o 'value=.*' | grep -o '[0-9]*' | sort -nu | tr '\n' ' ')" "$(seq -s ' ' 20) " "nothing is lost"
answer '400 bad'
dtrace_run -q --otlp "http://127.0.0.1:$port/v1/logs" -n 'BEGIN { trace(1); exit(0); }'
is $status 1 "refused logs"
has "$work/err" "1 log records were lost" "are reported"
answer '200 '
end_pid "$collector"

collect 0 ::1
dtrace_run -q --otlp "http://[::1]:$port" -n 'BEGIN { @begun = count(); exit(0); }'
is "$status $(look dtrace_begun)" '0 sum 1 2 1' "by IPv6"
end_pid "$collector"

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=collector -addext subjectAltName=IP:127.0.0.1 \
	-keyout "$work/key" -out "$work/certificate" 2>/dev/null
cat "$work/key" "$work/certificate" >"$work/both"
collect 0 127.0.0.1 "$work/both"
dtrace_run -q --otlp "https://127.0.0.1:$port" -n 'BEGIN { @begun = count(); exit(0); }'
is "$status" 1 "by TLS: a collector with an unknown certificate gets nothing"
has "$work/err" "^dtrace: could not send metrics to 'https://127.0.0.1:$port': .*certificate" "... and a message says why"
OTEL_EXPORTER_OTLP_CERTIFICATE=$work/certificate OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE=$work/certificate \
	OTEL_EXPORTER_OTLP_CLIENT_KEY=$work/key dtrace_run -q --otlp "https://127.0.0.1:$port" -n 'BEGIN { @begun = count(); exit(0); }'
is "$status $(look dtrace_begun)" '0 sum 1 2 1' "by TLS, with certificates of both"
end_pid "$collector"

for url in localhost:4318 ftp://localhost/ 'http://' 'http://a b/' http://127.0.0.1:99999; do
	dtrace_run --otlp "$url" -n 'BEGIN { trace("began"); exit(0); }'
	is "$status$(cat "$work/out")" 2 "no URL: $url"
	has "$work/err" "^dtrace: could not send metrics to '$url': [a-zA-Z]" "... and a message says why"
done
done_testing
