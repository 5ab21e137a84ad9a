/* library: ../../dlib/aarch64/regs.d; */
BEGIN { trace(uregs[R_X1]); trace(uregs[R_R0]); trace(R_FP == R_X29 && R_LR == R_X30 && R_NPC == R_PC); }
