BEGIN { @a = count(); 1 ? @a : 1; }
