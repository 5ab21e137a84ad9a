/* option: dialect=oracle */
BEGIN { @a = count(); clear(); }
