/* option: scratchsize=256 */
BEGIN { p = alloca(257); }
