/* option: dialect=oracle */
BEGIN { print(1); }
