/* option: scratchsize=256 */
BEGIN { p = alloca(257); }
/* error: line 2: alloca( ) of more than the scratch space: 256 bytes */
