/* option: dialect=oracle */
BEGIN { stack(0); }
