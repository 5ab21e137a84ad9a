# SPDX-License-Identifier: BSD-2-Clause
#
# Completion of dtrace(1), dwatch(1) and the tools for fish.  The commands themselves tell what there
# is: descriptions of probes and options of -x (dtrace --complete), profiles (dwatch -Q1), options of
# tools (-h).  This file is found by the name of each of them.

# __dtrace_words LETTER [COMMAND]: descriptions of targets, too, where there is a -E.
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

# The letter of what a probe is for dwatch.
function __dwatch_probes
    set -l letter (string match -gr '^-[1lqy]*([fmP])' -- (commandline -opc))[-1]
    test -n "$letter"; or set letter n
    __dtrace_words $letter dwatch
end

function __dtrace_complete_command
    complete -c dtrace -f
    complete -c dtrace -o 32 -d 'ILP32 data model'
    complete -c dtrace -o 64 -d 'LP64 data model'
    complete -c dtrace -s a -d 'claim anonymous tracing'
    complete -c dtrace -s A -d 'set up anonymous tracing'
    complete -c dtrace -s b -x -d 'size of the trace buffer'
    complete -c dtrace -s B -d 'show each piece of output'
    complete -c dtrace -s c -x -d 'run a command' -a '(__fish_complete_subcommand)'
    complete -c dtrace -s C -d 'run the C preprocessor'
    complete -c dtrace -s d -d 'print the clauses'
    complete -c dtrace -s D -x -d 'define a macro'
    complete -c dtrace -s e -d 'compile, do not trace'
    complete -c dtrace -s E -d 'trace targets, too'
    complete -c dtrace -s f -x -d 'probes by function' -a '(__dtrace_words f)'
    complete -c dtrace -s F -d 'indent the output by calls'
    complete -c dtrace -s G -d 'make the object to link with'
    complete -c dtrace -s h -d 'write a header for providers'
    complete -c dtrace -s H -d 'print the names of included files'
    complete -c dtrace -s i -x -d 'probe by id'
    complete -c dtrace -s I -x -d 'directory of included files' -a '(__fish_complete_directories)'
    complete -c dtrace -s l -d 'list probes'
    complete -c dtrace -s L -x -d 'directory of D libraries' -a '(__fish_complete_directories)'
    complete -c dtrace -s m -x -d 'probes by module' -a '(__dtrace_words m)'
    complete -c dtrace -s n -x -d 'probes by name' -a '(__dtrace_words n)'
    complete -c dtrace -s o -r -F -d 'append the output to a file'
    complete -c dtrace -s O -d 'all aggregations at the end'
    complete -c dtrace -s p -x -d 'watch a process' -a '(__fish_complete_pids)'
    complete -c dtrace -s P -x -d 'probes by provider' -a '(__dtrace_words P)'
    complete -c dtrace -s q -d 'print only what the program prints'
    complete -c dtrace -s s -r -F -d 'run a D script'
    complete -c dtrace -s S -d 'print the code'
    complete -c dtrace -s U -x -d 'undefine a macro'
    complete -c dtrace -s v -d 'report stability'
    complete -c dtrace -s V -l version -d 'print the version'
    complete -c dtrace -s w -d 'allow destructive actions'
    complete -c dtrace -s x -x -d 'set an option' -a '(__dtrace_words x)'
    complete -c dtrace -s X -x -d 'standard of the preprocessor' -a 'a c s t'
    complete -c dtrace -s Z -d 'allow descriptions that match no probe'
    complete -c dtrace -l libxo -x -d 'format of the output' -a 'json jsonl xml html chrome text'
    complete -c dtrace -l save -r -F -d 'write all data to a file as jsonl, too'
    complete -c dtrace -l metrics -x -d 'serve aggregations as metrics'
    complete -c dtrace -l otlp -x -d 'send data to a collector'
    complete -c dtrace -l flame -r -F -d 'draw stacks as a flame graph'
    complete -c dtrace -l folded -r -F -d 'write stacks as collapsed lines'
    complete -c dtrace -l speedscope -r -F -d 'write stacks for speedscope'
    complete -c dtrace -l pprof -r -F -d 'write stacks for pprof'
    complete -c dtrace -l firefox -r -F -d 'write stacks for the Firefox Profiler'
    complete -c dtrace -l perfetto -r -F -d 'write records by time, for Perfetto'
    complete -c dtrace -l chrome -r -F -d 'write records by time, for Chrome'
    complete -c dtrace -l ctf -x -a '(__fish_complete_directories)' -d 'write records by time in CTF'
    complete -c dtrace -l heat -r -F -d 'draw a histogram by time'
    complete -c dtrace -l html -r -F -d 'write aggregations as a page'
    complete -c dtrace -l from -r -F -d 'draw what was saved'
    complete -c dtrace -l top -d 'show aggregations while they change'
    complete -c dtrace -l agent -d 'serve a dtrace that traces this machine'
    complete -c dtrace -l complete -x -d 'print what an argument may become' -a 'P m f n x'
    complete -c dtrace -l help -d 'show a summary of the options'
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

# A tool says in its head what its options are, and their values.  Programs of others may have its name.
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
