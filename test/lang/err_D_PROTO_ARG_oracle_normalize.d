/* option: dialect=oracle */
BEGIN { @a = count(); normalize(@a, "x"); }
