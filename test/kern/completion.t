#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# completion.t: the words that Tab inserts in bash, zsh and fish.
# rows: --complete
#
# guests: none
# needs: fish zsh
. "${0%/*}/lib.sh"

mkdir "$work/bin"
ln -s "$dtrace" "$work/bin/dtrace"
PATH=$work/bin:$PATH

dtrace_run --complete y word
is "$status" 2 "an option that has nothing to complete" || note_file "standard error" "$work/err"

# Completion can list processes, so the test has one.
mkdir -p "$work/dtrace"
ln -s "$top/scripts" "$work/dtrace"
PATH=$work/dtrace/scripts:$top/dwatch:$PATH
cp "$(type -P sleep)" "$work/napper"
"$work/napper" 600 &
napper=$!
own_pids+=("$napper")
targets="-x target=web-1=unix:$work/none -x target=web-2=unix:$work/nothing"

# ---- dtrace itself
offers() {
	local want=$1
	shift
	is "$(dtrace --complete "$@" 2>&1 | sort | tr '\n' ' ')" "$want" "--complete $*"
}

offers "tcp:::connect-refused tcp:::connect-request " n tcp:::connect-re
offers ":::connect-refused :::connect-request " n :::connect-re
offers "pid$napper: " n "pid$napper"
offers "pid$napper:napper: " n "pid$napper:nap"
offers "pid$napper:libc:malloc_usable_size: " n "pid$napper:libc:malloc_us"
offers "pid$napper:libc.so.6:malloc_usable_size:entry " n "pid$napper:libc.so.6:malloc_usable_size:ent"
ok "functions of a process are those that -l lists" test -z "$(comm -3 \
	<(dtrace --complete n "pid$napper:libc.so.6:mall" | cut -d : -f 3 | sort) \
	<(dtrace -ln "pid$napper:libc.so.6:mall*:entry" | awk 'NR > 1 { print $4 }' | sort))"
# shellcheck disable=SC2086
{
	offers "web-1: web-2: " n -E $targets web
	offers "web-1:tcp:::connect-refused web-1:tcp:::connect-request " n -E $targets web-1:tcp:::connect-re
	offers "BEGIN,web-*:udplite: " n -E $targets 'BEGIN,web-*:udpl'
	offers "host:syscall::openat2:entry " n -E $targets host:syscall::openat2:ent
	offers "udplite: " n -E $targets udpl
}

# ---- bash: the completed line
cat >"$work/complete.zsh" <<'END'
zmodload zsh/zpty
zpty shell bash --norc --noprofile -i
zpty -w shell "PS1=; bind 'set bell-style none'; source $1; bind -x '\"\\C-xs\": printf \"{%s}\" \"\$READLINE_LINE\"; READLINE_LINE='; echo rea\"\"dy"
zpty -r -m shell line '*ready*' || exit 1
zpty -w -n shell "$2"$'\t\x18s'
zpty -r -m shell line '*{*}*' || exit 1
print -r -- ${${line##*\{}%%\}*}
END
for command in dwatch opensnoop hotuser; do
	ln -s "$top/completion/dtrace.bash" "$work/$command"
	ln -s "$top/completion/dtrace.fish" "$work/$command.fish"
done
ln -s "$top/completion/dtrace.bash" "$work/dtrace.bash"
ln -s "$top/completion/dtrace.fish" "$work/dtrace.fish"
in_bash() {
	local file=$work/${1%% *}
	[ -f "$file" ] || file=$work/dtrace.bash
	is "$(TERM=dumb timeout 20 zsh -f "$work/complete.zsh" "$file" "$1" | tr -d '\r')" "$2" "bash: $1"
}

in_bash 'dtrace -n tcp:::connect-req' 'dtrace -n tcp:::connect-request '
in_bash "dtrace -n 'tcp:::connect-req" "dtrace -n 'tcp:::connect-request' "
in_bash "dtrace -qn 'tcp:::connect-req" "dtrace -qn 'tcp:::connect-request' "
in_bash "dtrace -n'tcp:::connect-req" "dtrace -n'tcp:::connect-request' "
in_bash "dtrace -n 'BEGIN, tcp:::connect-req" "dtrace -n 'BEGIN, tcp:::connect-request' "
in_bash "dtrace -n 'tcp*:::connect-req" "dtrace -n 'tcp*:::connect-request' "
in_bash "dtrace -n 'syscall::openat2" "dtrace -n 'syscall::openat2:"
in_bash "dtrace -n 'udpl" "dtrace -n 'udplite:::"
in_bash 'dtrace -n udpl' 'dtrace -n udplite:'
in_bash 'dtrace -qP udpl' 'dtrace -qP udplite '
in_bash 'dtrace -nsyscall::openat2:ent' 'dtrace -nsyscall::openat2:entry '
in_bash 'dtrace -n BEGIN,syscall::openat2:ent' 'dtrace -n BEGIN,syscall::openat2:entry '
in_bash 'dtrace -f openat2' 'dtrace -f openat2 '
in_bash 'dtrace -x bufp' 'dtrace -x bufpolicy='
in_bash 'dtrace -x bufpolicy=sw' 'dtrace -x bufpolicy=switch '
in_bash 'dtrace -xaggsortkeyp' 'dtrace -xaggsortkeypos='
in_bash 'dtrace --lib' 'dtrace --libxo '
in_bash 'dtrace -3' 'dtrace -32 '
in_bash "dtrace -x quiet -En 'host:tcp:::connect-req" "dtrace -x quiet -En 'host:tcp:::connect-request' "
touch "$work/script.d"
in_bash "dtrace -qs $work/scr" "dtrace -qs $work/script.d "
in_bash 'dwatch -X tcp-ret' 'dwatch -X tcp-retransmit '
in_bash 'dwatch -k napp' 'dwatch -k napper '
in_bash 'dwatch tcp:::connect-req' 'dwatch tcp:::connect-request '
in_bash 'dwatch -qP udpl' 'dwatch -qP udplite '
in_bash 'opensnoop -xn napp' 'opensnoop -xn napper '
in_bash "opensnoop -f $work/scr" "opensnoop -f $work/script.d "
in_bash 'hotuser -l whoa' 'hotuser -l whoami '

# ---- zsh: the completed line
cat >"$work/complete.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; PS2=; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u"
zpty -w shell 'show() { print -r -- "{$BUFFER}"; BUFFER= }; zle -N show; bindkey "^Xs" show; print rea""dy'
zpty -r -m shell line '*ready*' || exit 1
zpty -w -n shell "$2"$'\t'$'\x18s'
zpty -r -m shell line '*{*}*' || exit 1
print -r -- ${${line##*\{}%%\}*}
END
in_zsh() {
	is "$(TERM=dumb timeout 20 zsh -f "$work/complete.zsh" "$top/completion" "$1")" "$2" "zsh: $1"
}

in_zsh 'dtrace -n tcp:::connect-req' 'dtrace -n tcp:::connect-request '
in_zsh "dtrace -n 'tcp:::connect-req" "dtrace -n 'tcp:::connect-request' "
in_zsh "dtrace -qn 'tcp:::connect-req" "dtrace -qn 'tcp:::connect-request' "
in_zsh "dtrace -n'tcp:::connect-req" "dtrace -ntcp:::connect-request "
in_zsh "dtrace -n 'BEGIN, tcp:::connect-req" "dtrace -n 'BEGIN, tcp:::connect-request' "
in_zsh "dtrace -n 'tcp*:::connect-req" "dtrace -n 'tcp*:::connect-request' "
in_zsh "dtrace -n 'syscall::openat2" "dtrace -n 'syscall::openat2:"
in_zsh 'dtrace -n udpl' 'dtrace -n udplite:'
in_zsh 'dtrace -qP udpl' 'dtrace -qP udplite '
in_zsh 'dtrace -q -x bufp' 'dtrace -q -x bufpolicy='
in_zsh 'dtrace -x bufpolicy=sw' 'dtrace -x bufpolicy=switch '
in_zsh 'dtrace --lib' 'dtrace --libxo '
in_zsh "dtrace -x quiet -En 'host:tcp:::connect-req" "dtrace -x quiet -En 'host:tcp:::connect-request' "
in_zsh "dtrace -qs $work/scr" "dtrace -qs $work/script.d "
in_zsh 'dtrace --vers' 'dtrace --version '
in_zsh 'dtrace -3' 'dtrace -32 '
in_zsh "dtrace --save $work/scr" "dtrace --save $work/script.d "
in_zsh 'dtrace --top --fold' 'dtrace --top --folded '
in_zsh 'dtrace -X t --libxo js' 'dtrace -X t --libxo json'
in_zsh 'dwatch -X tcp-ret' 'dwatch -X tcp-retransmit '
in_zsh 'dwatch -k napp' 'dwatch -k napper '
in_zsh 'dwatch tcp:::connect-req' 'dwatch tcp:::connect-request '
in_zsh 'dwatch -qP udpl' 'dwatch -qP udplite '
in_zsh 'opensnoop -xn napp' 'opensnoop -xn napper '
in_zsh "opensnoop -f $work/scr" "opensnoop -f $work/script.d "
in_zsh 'hotuser -l whoa' 'hotuser -l whoami '

# ---- fish: the words it offers
offered() {
	HOME=$work fish --no-config -c "source $work/${1%% *}.fish; complete -C \"$1\"" | cut -f 1 | sort
}
in_fish() {
	is "$(offered "$1" | tr '\n' ' ')" "$2" "fish: $1"
}

in_fish 'dtrace -n tcp:::connect-re' 'tcp:::connect-refused tcp:::connect-request '
in_fish "dtrace -n 'tcp:::connect-req" 'tcp:::connect-request '
in_fish "dtrace -qn 'tcp:::connect-req" 'tcp:::connect-request '
in_fish "dtrace -qn'tcp:::connect-req" '-qntcp:::connect-request '
in_fish "dtrace -n 'BEGIN, tcp:::connect-req" 'BEGIN, tcp:::connect-request '
in_fish 'dtrace -P ud' 'udp udplite '
in_fish 'dtrace -n syscall::openat2' 'syscall::openat2: '
in_fish 'dtrace -x bufp' 'bufpolicy= '
in_fish 'dtrace -x bufpolicy=sw' 'bufpolicy=switch '
in_fish 'dtrace --lib' '--libxo '
in_fish "dtrace -x quiet -En 'host:tcp:::connect-req" 'host:tcp:::connect-request '
in_fish "dtrace -qs $work/scr" "$work/script.d "
in_fish "dtrace --save $work/scr" "$work/script.d "
in_fish "dtrace --top $work/scr" ''
in_fish 'dtrace --libxo js' 'json jsonl '
in_fish 'dwatch -X tcp-ret' 'tcp-retransmit '
in_fish 'dwatch -k napp' 'napper '
in_fish 'dwatch tcp:::connect-req' 'tcp:::connect-request '
in_fish 'dwatch -qP udpl' 'udplite '
in_fish 'opensnoop -xn napp' 'napper '
in_fish "opensnoop -f $work/scr" "$work/script.d "
in_fish 'hotuser -l whoa' 'whoami '
"$dtrace" --help | sed -n 's/^\t\(-[^ ]*\) *\(-[^ ]*\)*  .*/\1 \2/p' | tr -s ' ' '\n' | grep . |
	sort >"$work/options"
positive "$(grep -c . "$work/options")" "there are options"
offered 'dtrace -' | grep -vx -e --help -e --version >"$work/fish"
is "$(comm -3 "$work/options" "$work/fish")" "" "fish: all options"
# fish and zsh have lists of the options of dwatch.
"$top/dwatch/dwatch" -h | grep -o -- '[[ ]-[[:alnum:]]\+' | tr -d '[ -' | fold -w 1 | sort -u | sed 's/^/-/' >"$work/options"
offered 'dwatch -' >"$work/fish"
is "$(comm -3 "$work/options" "$work/fish")" "" "fish: all options of dwatch"
sed -n "/^_dtrace_watch/,/^}/s/^[^a-z]*'\**\(-[^[+]*\)[+[].*/\1/p" "$top/completion/_dtrace" | sort >"$work/zsh"
is "$(comm -3 "$work/options" "$work/zsh")" "" "zsh: all options of dwatch"

done_testing
