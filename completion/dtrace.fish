# SPDX-License-Identifier: BSD-2-Clause
#
# Completion of dtrace(1) for fish.  The command itself tells what descriptions of probes and options
# of -x may become (--complete).

function __dtrace_words
    set -l word (string replace -r '^-[PmfnxX](?=.)' '' -- (commandline -ct))
    dtrace --complete $argv[1] -- (string replace -r '^[\'"]' '' -- $word) 2>/dev/null
end

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
complete -c dtrace -l libxo -x -d 'format of the output' -a 'json jsonl xml html text'
complete -c dtrace -l metrics -x -d 'serve aggregations as metrics'
complete -c dtrace -l otlp -x -d 'send aggregations as metrics to a collector'
complete -c dtrace -l flame -r -F -d 'draw stacks as a flame graph'
complete -c dtrace -l heat -r -F -d 'draw a histogram by time'
complete -c dtrace -l html -r -F -d 'write aggregations as a page'
complete -c dtrace -l from -r -F -d 'draw what was saved'
complete -c dtrace -l top -d 'show aggregations while they change'
complete -c dtrace -l agent -d 'serve a dtrace that traces this machine'
complete -c dtrace -l complete -x -d 'print what an argument may become'
complete -c dtrace -l help -d 'show a summary of the options'
