#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# completion.t: what a Tab gives in bash, zsh and fish.
. "${0%/*}/lib.sh"
not_in_guests

mkdir "$work/bin"
ln -s "$dtrace" "$work/bin/dtrace"
PATH=$work/bin:$PATH

dtrace_run --complete y word
is "$status" 2 "an option that has nothing to complete" || note_file "standard error" "$work/err"

# ---- bash: the words it is told, with those that the line begins with where it breaks at them
cat >"$work/complete.bash" <<'END'
shopt -s extglob
compopt() { printf 'compopt %s\n' "$*"; }
. "$1"
COMP_LINE=$2
COMP_POINT=${#2}
COMPREPLY=()
_dtrace dtrace
printf '%s\n' "${COMPREPLY[@]}"
END
in_bash() {
	bash "$work/complete.bash" "$top/completion/dtrace.bash" "$1"
}

is "$(in_bash 'dtrace -n tcp:::connect-re' | sort)" $'connect-refused\nconnect-request' "bash: names"
is "$(in_bash "dtrace -n 'tcp:::connect-req")" "tcp:::connect-request" "bash: in quotes the word is whole"
is "$(in_bash 'dtrace -q -P ud' | sort | tr '\n' ' ')" "udp udplite " "bash: providers"
is "$(in_bash 'dtrace -n udpl')" $'compopt -o nospace\nudplite:' "bash: there is more to come behind a colon"
is "$(in_bash 'dtrace -n syscall::openat2')" $'compopt -o nospace\nopenat2:' "bash: functions"
is "$(in_bash 'dtrace -nsyscall::openat2:ent')" "entry" "bash: an argument that is joined to its option"
is "$(in_bash 'dtrace -n BEGIN,syscall::openat2:ent')" "entry" "bash: the second description"
is "$(in_bash 'dtrace -f openat2')" "openat2" "bash: a function alone"
is "$(in_bash 'dtrace -x bufp')" $'compopt -o nospace\nbufpolicy=' "bash: options"
is "$(in_bash 'dtrace -x bufpolicy=' | tr '\n' ' ')" "switch fill ring " "bash: their values"
is "$(in_bash 'dtrace -xaggsortkeyp')" $'compopt -o nospace\n-xaggsortkeypos=' "bash: an option of a joined -x"
is "$(in_bash 'dtrace --lib')" "--libxo" "bash: options of the command"
is "$(in_bash 'dtrace -3')" "-32" "bash: one of two on a line"
touch "$work/script.d"
is "$(in_bash "dtrace -s $work/scr")" $'compopt -o filenames\n'"$work/script.d" "bash: scripts"

# ---- zsh: what the line becomes
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
	TERM=dumb timeout 20 zsh -f "$work/complete.zsh" "$top/completion" "$1"
}

is "$(in_zsh 'dtrace -n tcp:::connect-req')" "dtrace -n tcp:::connect-request " "zsh: names"
is "$(in_zsh "dtrace -n 'tcp:::connect-req")" "dtrace -n 'tcp:::connect-request' " "zsh: in quotes"
is "$(in_zsh 'dtrace -n udpl')" "dtrace -n udplite:" "zsh: providers"
is "$(in_zsh 'dtrace -n syscall::openat2')" "dtrace -n syscall::openat2:" "zsh: functions"
is "$(in_zsh 'dtrace -q -x bufp')" "dtrace -q -x bufpolicy=" "zsh: options"
is "$(in_zsh 'dtrace -x bufpolicy=sw')" "dtrace -x bufpolicy=switch " "zsh: their values"
is "$(in_zsh 'dtrace --lib')" "dtrace --libxo " "zsh: options of the command"

# ---- fish: the words it offers
in_fish() {
	HOME=$work fish --no-config -c "source $top/completion/dtrace.fish; complete -C \"$1\"" | cut -f 1 | sort
}

is "$(in_fish 'dtrace -n tcp:::connect-re')" $'tcp:::connect-refused\ntcp:::connect-request' "fish: names"
is "$(in_fish 'dtrace -P ud')" $'udp\nudplite' "fish: providers"
is "$(in_fish 'dtrace -n syscall::openat2')" "syscall::openat2:" "fish: functions"
is "$(in_fish 'dtrace -x bufp')" "bufpolicy=" "fish: options"
is "$(in_fish 'dtrace -x bufpolicy=sw')" "bufpolicy=switch" "fish: their values"
is "$(in_fish 'dtrace --lib')" "--libxo" "fish: options of the command"
# All options of the command are known to the shells that have lists of their own.
"$dtrace" --help | sed -n 's/^\t\(-[^ ]*\) *\(-[^ ]*\)*  .*/\1 \2/p' | tr -s ' ' '\n' | grep . |
	sort >"$work/options"
positive "$(grep -c . "$work/options")" "there are options"
in_fish 'dtrace -' | grep -vx -e --help -e --version >"$work/fish"
is "$(comm -3 "$work/options" "$work/fish")" "" "fish: all options"
sed -n "s/^[^a-z]*'\(([^)]*)\)*\**\(-[^[+]*\)[+[].*/\2/p; s/.*'{\(-V\),.*/\1/p" "$top/completion/_dtrace" |
	grep -vx -e --help | sort >"$work/zsh"
is "$(comm -3 "$work/options" "$work/zsh")" "" "zsh: all options"

done_testing
