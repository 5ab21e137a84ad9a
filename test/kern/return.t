#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# return.t: return(): a function of the kernel fails as the program says, for whom it says.
# rows: return D_RETURN_PROBE
. "${0%/*}/lib.sh"

if ! may_probe_functions; then
	dtrace_run -wqn 'fbt::security_file_open:entry { return(-13); }'
	has "$work/err" 'this kernel refuses function tracing' "a kernel without probes of functions"
	done_testing
fi

# The shell opens a file, before and after another process, which is not refused it.
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
	is "$(grep -c 'No space left on device' "$work/err")" 2 "... which is told the error"
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

# refused PROGRAM MESSAGE [OPTION]
refused() {
	echo "$1" >"$work/refused.d"
	dtrace_run "${3:--qw}" -s "$work/refused.d"
	is "$status $(grep -Ec -- "$2" "$work/err")" "1 1" "$1: $2" || note_file err "$work/err"
}
refused 'fbt::security_file_open:entry { return(-1); }' 'Destructive actions not allowed' -q
refused 'fbt::security_file_open:entry { return(0); }' 'line 1: return\( \) of 0 cannot be done'
refused 'fbt::security_file_open:entry { return("no"); }' 'line 1: return\( \) argument #1 must be of integer type'
refused 'fbt::security_file_open:return { return(-1); }' 'line 1: .* security_file_open:return is behind'
refused 'fbt::vfs_read:entry { return(-1); }' 'line 1: return\( \) cannot be done: vfs_read is not one of'
refused 'fbt::[sv]*_rea[d]*:entry { return(-1); }' 'line 1: .*: [a-z_]* is not one of'
refused 'syscall::read:entry { return(-1); }' 'line 1: .*: syscall:.*:read:entry is no entry of fbt'

done_testing
