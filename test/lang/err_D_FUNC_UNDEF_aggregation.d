BEGIN { @a = nosuch(); }
