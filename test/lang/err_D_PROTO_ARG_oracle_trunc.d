/* option: dialect=oracle */
BEGIN { @a = count(); trunc(@a, "x"); }
