BEGIN { trace(uregs[3]); trace(uregs[pid]); }
