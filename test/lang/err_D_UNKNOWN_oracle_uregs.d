/* option: dialect=oracle */
BEGIN { trace(uregs[28]); }
