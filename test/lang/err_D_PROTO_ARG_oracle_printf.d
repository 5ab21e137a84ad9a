/* option: dialect=oracle */
BEGIN { printf(execname); }
