/* option: dialect=oracle */
BEGIN { tracemem((void *)0, 1, "x"); }
