/* option: dialect=oracle */
BEGIN { ustack(1, 2, 3); }
