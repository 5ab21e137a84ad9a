#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# inside.sh: run by run.sh as root of a new Debian, with the packages in /test: installs, uses, replaces and removes them.
set -u
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
. "${0%/*}/checks.sh"
scripts=/usr/share/dtrace/scripts
page=/usr/share/man/man1/dtrace.1.gz
aside=/usr/share/man/man1/dtrace.systemtap.1.gz
pids=()
work=$(mktemp -d)
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$work"' EXIT

# prints WORD COMMAND...: checks that it succeeds and a line has the word.
prints() {
	local word=$1
	shift
	"$@" >"$work/printed" 2>&1 || { cat "$work/printed"; return 1; }
	grep -F -- "$word" "$work/printed" || { cat "$work/printed"; return 1; }
}

# as_user COMMAND...: runs it with the rights of nobody and the PATH of users.
as_user() {
	setpriv --reuid 65534 --regid 65534 --clear-groups env PATH=/usr/local/bin:/usr/bin:/bin:/usr/games HOME=/nonexistent "$@"
}

# soon COMMAND...: repeats the command until it succeeds, while the process in the background still runs.
soon() {
	for _ in {1..300}; do
		"$@" && return
		kill -0 "${pids[-1]}" || break
		sleep 0.1
	done
	cat "$work/log"
	return 1
}

# in_background COMMAND...: runs it; its output is in $work/log.
in_background() {
	"$@" >"$work/log" 2>&1 &
	pids+=($!)
}

end() {
	kill "${pids[-1]}"
	wait "${pids[-1]}"
	unset 'pids[-1]'
}

# files: prints all file names, except files of the machine, and files that apt, dpkg and man maintain.
files() {
	find / \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/log -o -path /var/cache \
		-o -path /var/lib/apt -o -path '/var/lib/dpkg/*-old' -o -path /test \) -prune -o -printf '%p %y %l\n' | sort
	dpkg-divert --list
}

install() {
	apt-get -qq install "$@"
}

# Also removes packages that systemd suggests.
remove() {
	apt-get -qq -o APT::AutoRemove::SuggestsImportant=false purge --auto-remove "$@"
}

manuals() {
	is "$(as_user man -w dtrace)" $page "man dtrace"
	is "$(as_user man -w opensnoop)" /usr/share/man/man1/opensnoop.1dtrace.gz "man opensnoop"
	ok "man dtrace, as text" prints 'compiles' as_user man dtrace
	ok "man 1dtrace opensnoop" prints 'files that processes open' as_user man 1dtrace opensnoop
	ok "man 4 dtrace_tcp" prints 'accept-established' as_user man 4 dtrace_tcp
	ok "man d" prints 'translator' as_user man d
	ok "whatis knows it" prints '(1)' whatis dtrace
}

command_works() {
	local release
	release=$(dpkg-query -f '${Version}' -W dtrace)
	ok "-V" prints "This is DTrace for Linux $release" as_user /usr/sbin/dtrace -V
	dtrace -l >"$work/list"
	ok "-l" test "$(wc -l <"$work/list")" -gt 1000
	ok "a program" prints hello dtrace -qn 'BEGIN { trace("hello"); exit(0); }'
	printf '#define SHOW(x) printf("%%s is %%d", #x, x)\nBEGIN { SHOW(6*7); exit(0); }\n' >"$work/show.d"
	ok "-C" prints '6*7 is 42' dtrace -C -q -s "$work/show.d"
	ok "dwatch -Q" prints tcp-retransmit as_user dwatch -Q
	ok "dwatch" prints debian_version dwatch -X open -- -c 'cat /etc/debian_version'
}

tools_work() {
	local tool
	for tool in opensnoop iosnoop tcptop execsnoop hotkernel; do
		ok "$tool -h" prints "usage: $tool" as_user $scripts/$tool -h
	done
	ok "dtruss" prints openat $scripts/dtruss cat /etc/debian_version
	ok "procsystime" prints openat $scripts/procsystime -a cat /etc/debian_version
	in_background $scripts/opensnoop -n cat
	ok "opensnoop" soon sh -c "cat /etc/debian_version >/dev/null; grep ' /etc/debian_version' $work/log"
	end
	in_background $scripts/execsnoop
	ok "execsnoop" soon sh -c "cat /etc/debian_version >/dev/null; grep 'cat /etc/debian_version' $work/log"
	end
	in_background $scripts/tcpstate.d
	ok "a script that is run by its first line" soon sh -c "curl -s 127.0.0.1:9; grep state-syn-sent $work/log"
	end
}

completion() {
	ok "completion in bash" python3 /test/inside.py 'dtrace -P sysca' ll
	ok "of probes" python3 /test/inside.py 'dtrace -n syscall::execveat:en' try
}

# asks QUERY VALUE: checks that Prometheus has the value.
asks() {
	curl -s --data-urlencode "query=$1" 127.0.0.1:9090/api/v1/query | grep -F ",\"$2\"]"
}

exporter() {
	in_background dtrace -q --metrics 127.0.0.1:9464 -n 'BEGIN { @answers["x"] = sum(42); }'
	ok "metrics" soon sh -c 'curl -s 127.0.0.1:9464/metrics | grep "dtrace_answers.* 42$"'
	echo 'scrape_configs: [{job_name: dtrace, scrape_interval: 1s, static_configs: [{targets: ["127.0.0.1:9464"]}]}]' >"$work/prometheus.yml"
	in_background prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" --log.level=error
	ok "Prometheus finds it" soon asks 'up{job="dtrace"}' 1
	ok "and what it has" soon asks '{__name__=~"dtrace_answers.*"}' 42
	end
	end
}

# stored METRIC VALUE: checks that VictoriaMetrics has the value.
stored() {
	curl -s --data-urlencode "query=$1" 127.0.0.1:8428/api/v1/query | grep -F ",\"$2\"]"
}

# Debian's VictoriaMetrics accepts OTLP since Debian 13.
collector() {
	type -P victoria-metrics >/dev/null || return 0
	in_background victoria-metrics -storageDataPath="$work/stored" -httpListenAddr=127.0.0.1:8428 -search.latencyOffset=0s
	ok "VictoriaMetrics begins" soon stored 'vector(1)' 1
	ok "it is sent metrics" dtrace -q --otlp http://127.0.0.1:8428/opentelemetry/v1/metrics \
		-n 'BEGIN { @answers["x"] = sum(42); @sizes = quantize(5); @least["y"] = min(-3); @mean = avg(4); exit(0); }'
	ok "and has a counter" soon stored 'dtrace_answers{key0="x",service.name="dtrace"}' 42
	ok "a histogram" soon stored 'dtrace_sizes_bucket{le="7"}' 1
	ok "a gauge" soon stored 'dtrace_least{key0="y"}' -3
	ok "and a summary" soon stored 'dtrace_mean_sum' 4
	end
}

# The programs that make starts compile some thousand functions.
pictures() {
	local file
	mkdir "$work/made"
	for file in 1 2 3; do
		seq 3000 | sed 's/.*/int f&(int x) { return x > & ? x % (& + 1) : x * x; }/' >"$work/made/$file.c"
	done
	ok "a flame graph of make" dtrace -x switchrate=10hz --flame "$work/make.svg" \
		-n 'profile-499 /progenyof($target)/ { @[execname, ustack()] = count(); }' -c "make -C $work/made CFLAGS=-O2 1.o 2.o 3.o"
	ok "which has made it" test -s "$work/made/3.o"
	ok "and has the compiler" grep '>cc1<' "$work/make.svg"
	ok "with its frames" grep 'class="frame u' "$work/make.svg"
	ok "what was saved" dtrace -x oformat=json -o "$work/saved.json" -qn 'BEGIN { @["a&b"] = sum(7); exit(0); }' -O
	ok "as a page" dtrace --html "$work/page.html" --from "$work/saved.json"
	ok "with its rows" grep 'a&amp;b' "$work/page.html"
}

# Libraries loaded on request exist, under the names that the program uses.
loaded() {
	local library
	for library in libdw.so.1 libmicrohttpd.so.12 libcurl.so.4 libjson-c.so.5 liblzma.so.5 libncursesw.so.6; do
		ok "$library" prints $library ldconfig -p
	done
}

library() {
	local guide=/usr/share/doc/dtrace/docs/library.md
	ok "pkg-config" prints -ldtrace pkg-config --libs dtrace
	is "$(pkg-config --modversion dtrace)" "$(dpkg-query -f '${Version}' -W dtrace)" "pkg-config prints the version of the package"
	ok "libdtrace.so" test -e "/usr/lib/$(dpkg-query -f '${Architecture}' -W libdtrace1 | sed 's/amd64/x86_64/; s/arm64/aarch64/')-linux-gnu/libdtrace.so"
	awk '/^    #include/ { on = 1 } /^[^ ]/ { on = 0 } on { sub(/^    /, ""); print }' $guide >"$work/calls.c"
	ok "the guide's example is built" sh -c "cd '$work' && $(sed -n 's/^    \(cc -o calls .*\)/\1/p' $guide)"
	ok "and counts" prints openat "$work/calls" cat /etc/debian_version
	ok "the module of Python" python3 -c 'import libdtrace; libdtrace.Consumer'
	in_background sh -c 'while :; do cat /etc/debian_version; sleep 0.1; done'
	ok "its example" prints /etc/debian_version timeout 20 python3 /usr/share/doc/python3-libdtrace/examples/opens.py 1
	end
}

# The two programs, installed and removed in any order.
beside_systemtap() {
	ok "systemtap's dtrace can be installed beside it" install systemtap-sdt-dev
	is "$(command -v dtrace)" /usr/sbin/dtrace "root has this one"
	is "$(as_user sh -c 'command -v dtrace')" /usr/bin/dtrace "users have the other one"
	is "$(as_user man -w dtrace) $(as_user man -w dtrace.systemtap)" "$page $aside" "both have their pages"
	ok "the page is this one's" prints 'the D language' as_user man dtrace
	ok "it can be removed" apt-get -qq remove dtrace
	is "$(dpkg-query -S $page | sed 's/:[a-z0-9]*: /: /')" "systemtap-sdt-dev: $page" "the other's page is where it was"
	ok "and nothing else" dpkg -V systemtap-sdt-dev
	is "$(ls -d /usr/share/man/man1/dtrace.*)" $page "and nowhere else"
	ok "it can be installed beside systemtap's" install /test/dtrace_*.deb
	ok "the page is this one's again" prints 'the D language' as_user man dtrace
	ok "it can be replaced" install /test/next/dtrace_*.deb
	is "$(dpkg-divert --list '*dtrace.1*' | wc -l) $(ls -d /usr/share/man/man1/dtrace.* | wc -l)" "2 2" "and the other's page stays aside"
	ok "systemtap's can be removed" apt-get -qq purge systemtap-sdt-dev
	is "$(ls -d /usr/share/man/man1/dtrace.*)" $page "its page is gone, this one's is not"
	ok "no file has changed" dpkg -V dtrace
}

# A later release, which differs only in its number.
make_next() {
	mkdir /test/next
	dpkg-deb -R /test/dtrace_*.deb "$work/next"
	sed -i '/^Version:/s/$/+next/' "$work/next/DEBIAN/control"
	dpkg-deb -Znone -b "$work/next" "/test/next/dtrace_next.deb"
}

# Enables a unit as `systemctl enable` does.
enable_services() {
	local wanted=/etc/systemd/system/multi-user.target.wants units
	units=$(dpkg -L dtrace | grep 'systemd/system/.*service$')
	mkdir -p $wanted
	ln -s "$(grep agent <<<"$units")" $wanted/dtrace-agent.service
	ln -s "$(grep exporter <<<"$units")" $wanted/dtrace-exporter@x.service
	ln -s "$(grep recorder <<<"$units")" $wanted/dtrace-recorder@x.service
	systemd-analyze verify dtrace-agent.service dtrace-exporter@x.service dtrace-recorder@x.service
}

make_next >/dev/null 2>"$work/out" || cat "$work/out"
files >"$work/before"
ok "it can be installed" install /test/dtrace_*.deb
manuals
command_works
tools_work
completion
exporter
collector
pictures
loaded
ok "so can all the others" install /test/*.deb
library
ok "README.md finds the guides" test -s /usr/share/doc/dtrace/docs/first-hour.md
ok "services can be enabled" enable_services
beside_systemtap
ok "all can be removed" remove $(dpkg-query -f '${Package} ${source:Package}\n' -W | awk '$2 == "dtrace" { print $1 }')
files >"$work/after"
ok "nothing is left" diff "$work/before" "$work/after"
echo "$(. /etc/os-release && echo "$VERSION_CODENAME"): $passed passed, $failed failed"
