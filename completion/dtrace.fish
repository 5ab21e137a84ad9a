# SPDX-License-Identifier: BSD-2-Clause
#
# Completion of dtrace(1), dwatch(1) and the tools for fish.  The commands list the words: options (dtrace
# --help), descriptions of probes and options of -x (dtrace --complete), profiles (dwatch -Q1), options of
# tools (their heads).  fish loads this file under the name of each command.

# __dtrace_words LETTER [COMMAND]: completes the argument of an option; with -E in the line, descriptions can
# name targets.
function __dtrace_words
    set -l targets
    if not set -q argv[2]; and string match -qr '^-[[:alnum:]]*E' -- (commandline -opc) (commandline -ct)
        set targets -E
    end
    set -l word (string replace -r '^-[A-Za-z]*?[PmfnxX](?=.)' '' -- (commandline -ct))
    dtrace $targets --complete $argv[1] -- (string replace -r '^[\'"]' '' -- $word) 2>/dev/null
end

function __dtrace_names
    cat /proc/*/comm 2>/dev/null | sort -u
end

# Completes a probe of dwatch, which -f, -m or -P make a function, a module or a provider.
function __dwatch_probes
    set -l letter (string match -gr '^-[1lqy]*([fmP])' -- (commandline -opc))[-1]
    test -n "$letter"; or set letter n
    __dtrace_words $letter dwatch
end

# Options come from --help.  An option has an argument if the usage shows it with one.
function __dtrace_complete_command
    complete -c dtrace -f
    complete -c dtrace -l help -d 'print this list'
    complete -c dtrace -l version -d 'print the versions'
    set -lx PATH $PATH /usr/sbin
    set -l help (dtrace --help 2>/dev/null)
    for line in (string match -r '^\t-.*' -- $help)
        set -l parts (string split -m 1 '  ' -- $line)
        for option in (string match -ar '\S+' -- $parts[1])
            set -l name -s (string sub -s 2 -- $option)
            switch $option
                case '--*'
                    set name -l (string sub -s 3 -- $option)
                case '*'
                    # In fish 4, ? stands for itself in patterns.
                    string match -qr '^-..' -- $option; and set name[1] -o
            end
            set -l value
            if string match -q "*[$option *" -- $help
                switch $option
                    case -P -m -f -n -x
                        set value -x -a "(__dtrace_words $name[2])"
                    case -c
                        set value -x -a '(__fish_complete_subcommand)'
                    case -p
                        set value -x -a '(__fish_complete_pids)'
                    case -I -L --ctf
                        set value -x -a '(__fish_complete_directories)'
                    case -X
                        set value -x -a 'a c s t'
                    case --libxo
                        set value -x -a 'json jsonl xml html chrome text'
                    case --complete
                        set value -x -a 'P m f n x'
                    case -b -D -U -i --metrics --otlp
                        set value -x
                    case '*'
                        set value -r -F
                end
            end
            complete -c dtrace $name $value -d $parts[2]
        end
    end
end

function __dtrace_complete_watch
    complete -c dwatch -f
    complete -c dwatch -a '(__dwatch_probes)'
    complete -c dwatch -s 1 -d 'one line for each event or profile'
    complete -c dwatch -s B -x -d 'the most arguments shown'
    complete -c dwatch -s d -d 'print the script, do not run it'
    complete -c dwatch -s e -d 'compile, do not trace'
    complete -c dwatch -s E -x -d 'D code of the details'
    complete -c dwatch -s f -d 'the probe is a function'
    complete -c dwatch -s F -d 'coalesce, indent by calls'
    complete -c dwatch -s g -x -d 'processes of a group' -a '(__fish_complete_groups)'
    complete -c dwatch -s h -d 'show a summary of the options'
    complete -c dwatch -s j -x -d 'processes of a container'
    complete -c dwatch -s k -x -d 'processes of a name' -a '(__dtrace_names)'
    complete -c dwatch -s K -x -d 'the most levels of directories shown'
    complete -c dwatch -s l -d 'list probes'
    complete -c dwatch -s m -d 'the probe is a module'
    complete -c dwatch -s n -d 'the probe is a name'
    complete -c dwatch -s N -x -d 'end after so many events'
    complete -c dwatch -s o -r -F -d 'output file'
    complete -c dwatch -s O -x -d 'run a command for each event' -a '(__fish_complete_command)'
    complete -c dwatch -s p -x -d 'only this process' -a '(__fish_complete_pids)'
    complete -c dwatch -s P -d 'the probe is a provider'
    complete -c dwatch -s q -d 'no messages'
    complete -c dwatch -s Q -d 'list profiles'
    complete -c dwatch -s r -x -d 'only events with this text'
    complete -c dwatch -s R -d 'show the tree of processes'
    complete -c dwatch -s t -x -d 'a condition more'
    complete -c dwatch -s T -x -d 'end after this time'
    complete -c dwatch -s u -x -d 'processes of a user' -a '(__fish_complete_users)'
    complete -c dwatch -s v -d 'all messages of dtrace'
    complete -c dwatch -s V -d 'print the version'
    complete -c dwatch -s w -d 'allow destructive actions'
    complete -c dwatch -s x -d 'show which clause runs'
    complete -c dwatch -s X -x -d 'use a profile' -a '(dwatch -Q1 2>/dev/null)'
    complete -c dwatch -s y -d 'colours'
    complete -c dwatch -s z -x -d 'processes with this text'
end

# Completes the options of a tool, and their values, from its head.  Other programs can have its name.
function __dtrace_complete_tool
    set -l tool $argv[1]
    set -l path (path resolve -- (command -s $tool))
    test -n "$path"; and test -e (path dirname $path)/tool.sh; or return
    complete -c $tool -f
    complete -c $tool -s h -d 'show a summary of the options'
    for line in (sed -n '/^# example:/q; s/^#\t\(.*\t\)/\1/p' $path)
        set -l option (string match -gr '^-(.) ?([a-z]*)\t(.*)' -- $line)
        or begin
            string match -qr '^command\t' -- $line; and complete -c $tool -a '(__fish_complete_subcommand)'
            continue
        end
        switch $option[2]
            case ''
                complete -c $tool -s $option[1] -d $option[3]
            case pid
                complete -c $tool -s $option[1] -x -d $option[3] -a '(__fish_complete_pids)'
            case name
                complete -c $tool -s $option[1] -x -d $option[3] -a '(__dtrace_names)'
            case file
                complete -c $tool -s $option[1] -r -F -d $option[3]
            case mount
                complete -c $tool -s $option[1] -x -d $option[3] -a '(__fish_complete_directories)'
            case '*'
                complete -c $tool -s $option[1] -x -d $option[3]
        end
    end
end

switch (path change-extension '' (path basename (status filename)))
    case dtrace
        __dtrace_complete_command
    case dwatch
        __dtrace_complete_watch
    case '*'
        __dtrace_complete_tool (path change-extension '' (path basename (status filename)))
end
