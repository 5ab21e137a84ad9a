/* option: scratchsize=256; rows: copyin */
BEGIN { p = copyin(0, 257); }
/* error: line 2: copyin( ) of more than the scratch space: 256 bytes */
