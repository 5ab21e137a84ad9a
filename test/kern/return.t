#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# return.t: return(): a kernel function fails as the program says, for the selected processes.
# rows: return D_RETURN_PROBE
# guests: 6.12
. "${0%/*}/lib.sh"

if ! may_probe_functions; then
	dtrace_run -wqn 'fbt::security_file_open:entry { return(-13); }'
	has "$work/err" 'this kernel refuses function tracing' "a kernel without probes of functions"
	done_testing
fi

# The shell opens a file, before and after another process, which can open it.
echo text >"$work/secret"
cat >"$work/script" <<EOF
read -r x <$work/secret && echo "shell \$x"
cat $work/secret
read -r x <$work/secret && echo "shell \$x"
cat $work/secret
EOF
is_secret='pid == $target && stringof(args[0]->f_path.dentry->d_name.name) == "secret"'

for func in security_file_open 'security_file_ope[n]'; do
	dtrace_run -wqc "/bin/sh $work/script" -n "
		fbt::$func:entry /$is_secret/ { self->in = 1; return(-28); }
		fbt::$func:return /self->in/ { printf(\"%s %d\\n\", probefunc, args[1]); self->in = 0; }"
	is "$(grep -c '^text$' "$work/out") $(grep -c shell "$work/out")" "2 0" "$func: fails for the process, and for no other"
	is "$(grep -c 'No space left on device' "$work/err")" 2 "... which gets the error"
	is "$(grep -c '^security_file_open -28$' "$work/out")" 2 "... and so is who traces the return"
	is "$(/bin/sh "$work/script" | paste -sd ' ')" "shell text text shell text text" "... and all is well afterwards"
done

# The value is computed; the last one counts; with 0 the function would run, so that is a fault.
dtrace_run -wqc "/bin/sh $work/script" -n "
	fbt::security_file_open:entry /$is_secret/ { n++; }
	fbt::security_file_open:entry /$is_secret && n == 1/ { return(-28); }
	fbt::security_file_open:entry /$is_secret && n == 1/ { return(-n - 1); }
	fbt::security_file_open:entry /$is_secret && n == 2/ { return(n - 2); }"
is "$(grep -c 'No such file' "$work/err") $(grep -c 'shell text' "$work/out")" "1 1" "values that are computed"
is "$(grep -c 'illegal operation in action #1' "$work/err")" 1 "... of which 0 is a fault"

dtrace_run -qn 'fbt::security_file_open:entry { return(-1); }'
is "$status $(grep -c 'Destructive actions not allowed' "$work/err")" "1 1" "without -w"

# Each clause is refused, at its own line.
cat >"$work/refused.d" <<'EOF'
fbt::security_file_open:entry { return(0); }
fbt::security_file_open:entry { return("no"); }
fbt::security_file_open:return { return(-1); }
fbt::vfs_read:entry { return(-1); }
fbt::[sv]*_rea[d]*:entry { return(-1); }
syscall::read:entry { return(-1); }
EOF
dtrace_run -qws "$work/refused.d"
is $status 1 "what cannot be done"
while read -r line message; do
	has "$work/err" "refused.d: line $line: return\( \) $message" "... $message"
done <<'EOF'
1 of 0 is not possible
2 argument #1 must be of integer type
3 is not possible: security_file_open:return fires after
4 is not possible: vfs_read is not one of the functions whose
5 is not possible: [a-z_]* is not one of the functions whose
6 is not possible: syscall:.*:read:entry is not an entry probe of fbt
EOF

done_testing
