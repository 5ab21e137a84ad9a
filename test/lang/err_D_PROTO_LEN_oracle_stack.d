/* option: dialect=oracle */
BEGIN { stack(1, 2); }
