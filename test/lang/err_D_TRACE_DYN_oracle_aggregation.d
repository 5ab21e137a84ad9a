/* option: dialect=oracle */
BEGIN { @a = count(); trace(@a); }
