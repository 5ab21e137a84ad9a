/* option: scratchsize=256; rows: copyin */
BEGIN { p = copyin(0, 257); }
