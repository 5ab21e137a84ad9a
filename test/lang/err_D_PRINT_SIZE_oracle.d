/* option: dialect=oracle */
BEGIN { print((void *)0); }
