" SPDX-License-Identifier: BSD-2-Clause
" What ends in .d may be of another language: a program for dtrace(1) begins with its name, or has its
" pragmas, probes or declarations.
function s:Detect()
	if getline(1) =~# '^#!.*\<dtrace\>' ||
			\ search('\C^\(#pragma D \|[-$a-zA-Z_*]*:[^ ]*:[^ ]*:\|provider \|translator \|site \)', 'nw') > 0
		setlocal filetype=dtrace
	endif
endfunction

autocmd BufNewFile,BufRead *.d call s:Detect()
