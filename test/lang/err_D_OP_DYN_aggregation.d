BEGIN { @a = count(); x = pid ? @a : 1; }
