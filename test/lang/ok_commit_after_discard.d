BEGIN { discard(2); x = 1; commit(1); }
END { @a = count(); }
