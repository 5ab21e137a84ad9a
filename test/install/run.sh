#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh BUILD: checks that `make install` puts files into their places, that they work there, and that `make
# uninstall` leaves nothing.
set -u
export LC_ALL=C
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
build=$1
. test/checks.sh
root=$(mktemp -d)
work=$root
trap 'rm -rf "$root"' EXIT

run_make() {
	env -u MAKEFLAGS -u MAKELEVEL make -s B="$build" "$@"
}

names() {
	(cd "$1" && ls -A)
}

# installed FROM INTO: checks that files of these names exist.
installed() {
	diff <(names "$1") <(names "$2")
}

# runs PROGRAM WORD ARGUMENT...: checks that the program prints the word.
runs() {
	local program=$1 word=$2
	shift 2
	env -u DTRACE PATH=/usr/bin:/bin "$program" "$@" 2>&1 | grep -F -- "$word"
}

files() {
	find "$1" -mindepth 1 ! -type d
}

gone() {
	files "$1"
	[ -z "$(files "$1")" ]
}

top=$root/a
ok "it can be installed" run_make install DESTDIR="$top"
ok "files" test -n "$(files "$top")"
ok "dtrace runs" runs "$top/usr/sbin/dtrace" 'Sun D' -V
ok "dwatch finds dtrace and profiles" runs "$top/usr/bin/dwatch" systop -Q1
ok "scripts" installed scripts "$top/usr/share/dtrace/scripts"
ok "a tool is a command" runs "$top/usr/bin/execsnoop" 'usage: execsnoop' -h
ok "one whose name is taken, by another name" runs "$top/usr/bin/dtrace-iotop" 'usage: iotop' -h
ok "every tool" test "$(find "$top/usr/bin" -type l | wc -l)" = "$(names scripts | grep -vc '\.sh$')"
ok "profiles" installed dwatch/profiles "$top/usr/libexec/dwatch"
for n in 1 3 4 7; do
	ok "pages of section $n" diff <(names "$build/man" | grep -E "\.$n(dtrace)?$") <(names "$top/usr/share/man/man$n")
done
ok "documents" diff <({ names docs | grep -vx README.md; echo LICENSE; echo README.md; echo examples; } | sort) <(names "$top/usr/share/doc/dtrace" | sort)
for file in bash-completion/completions/dtrace zsh/vendor-completions/_dtrace fish/vendor_completions.d/dtrace.fish; do
	ok "$file" test -s "$top/usr/share/$file"
done
for file in syntax ftdetect; do
	ok "Vim: $file" test -s "$top/usr/share/vim/vimfiles/$file/dtrace.vim"
done
# groups LINE: prints the kinds that Vim assigns to the words of a line.
groups() {
	printf '%s\n' "$1" >"$root/line.d"
	vim -es -u NONE -i NONE -c "set rtp^=$top/usr/share/vim/vimfiles" -c 'syntax on' -c "e $root/line.d" -c 'set ft=dtrace' \
		-c "call writefile(map(range(1, col('\$')), 'getline(1)[v:val-1] .. synIDattr(synID(1, v:val, 1), \"name\")'), '$root/groups')" -c 'qa!'
	uniq "$root/groups" | sed -n 's/^[[:graph:]]\(dtrace\)/\1/p' | uniq | tr '\n' ' '
}
if has "groups of words in Vim" vim; then
	ok "Vim: a site" test "$(groups 'site nap:::start from fbt::x:entry')" = \
		"dtraceStatement dtraceProbe dtraceStatement dtraceProbe "
	ok "Vim: an action" test "$(groups '	@a[execname] = quantize(arg0); printf("%d", $1);')" = \
		"dtraceAggregation dtraceVariable dtraceAggregating dtraceVariable dtraceAction dtraceString dtraceFormat dtraceString dtraceMacro "
fi
if has "files of VS Code" python3; then
	ok "VS Code: its files are JSON" python3 - "$top/usr/share/dtrace/vscode" <<'END'
import json, os, re, sys
top = sys.argv[1]
package = json.load(open(os.path.join(top, "package.json")))["contributes"]
json.load(open(os.path.join(top, package["languages"][0]["configuration"])))
rules = json.load(open(os.path.join(top, package["grammars"][0]["path"])))["patterns"]
# Each kind of rule matches its example.
scopes = {"entity.name.function.probe": "syscall::read:entry", "variable.language": "execname",
    "support.function.aggregating": "quantize", "support.function.action": "printf", "support.function": "copyinstr",
    "variable.parameter": "$target", "constant.language": "ENOENT", "storage.type": "string"}
for scope, text in scopes.items():
    found = [r for r in rules if r["name"] == scope + ".dtrace" and re.fullmatch(r["match"], text)]
    assert found, scope
END
fi
ok "examples" installed python/examples "$top/usr/share/doc/dtrace/examples"
ok "the library" test "$(readlink "$top/usr/lib/libdtrace.so")" = libdtrace.so.1 -a -s "$top/usr/lib/libdtrace.so.1"
ok "its headers" test -s "$top/usr/include/dtrace.h" -a -s "$top/usr/include/sys/dtrace.h"
ok "units" installed systemd "$top/usr/lib/systemd/system"
# verify_unit NAME: checks that systemd finds no error, with the program at its installed place.
verify_unit() {
	sed "s,^ExecStart=,&$top," "$top/usr/lib/systemd/system/${1/@x./@.}" >"$root/$1" &&
		systemd-analyze --man=no verify "$root/$1"
}
if has "units of systemd" systemd-analyze; then
	ok "the agent's unit" verify_unit dtrace-agent.service
	ok "the exporter's unit" verify_unit dtrace-exporter@x.service
	ok "the recorder's unit" verify_unit dtrace-recorder@x.service
fi
for command in dtrace dwatch opensnoop; do
	ok "bash completes $command" bash -c ". '$top/usr/share/bash-completion/completions/$command' && complete -p $command"
	ok "fish finds $command" test -s "$top/usr/share/fish/vendor_completions.d/$command.fish"
done
ok "it can be uninstalled" run_make uninstall DESTDIR="$top"
ok "nothing is left" gone "$top"

top=$root/b
ok "it can be installed elsewhere" run_make install DESTDIR="$top" PREFIX=/opt/x mandir=/man sbindir=/opt/x/tools libdir=/opt/x/lib/here
ok "the program is in sbindir" test -x "$top/opt/x/tools/dtrace"
ok "pages are in mandir" test -s "$top/man/man7/d.7"
ok "everything else is below PREFIX" test -e "$top/opt/x/libexec/dwatch/open" -a ! -e "$top/usr"
ok "units know where the program is" grep -q '^ExecStart=/opt/x/tools/dtrace ' "$top/opt/x/lib/systemd/system/dtrace-exporter@.service"
ok "scripts know where the program is" grep -q '^#!/opt/x/tools/dtrace -s' "$top/opt/x/share/dtrace/scripts/tcpsnoop.d"
ok "so does pkg-config" grep -q "^libdir=/opt/x/lib/here$" "$top/opt/x/lib/here/pkgconfig/dtrace.pc"
ok "tools, too" grep -q ':/opt/x/tools$' "$top/opt/x/share/dtrace/scripts/tool.sh"
ok "and is uninstalled from there" run_make uninstall DESTDIR="$top" PREFIX=/opt/x mandir=/man sbindir=/opt/x/tools libdir=/opt/x/lib/here
ok "where nothing is left" gone "$top"

echo "$skipped skipped, 0 on the second run only"
echo "install: $passed passed, $failed failed"
[ $failed = 0 ]
