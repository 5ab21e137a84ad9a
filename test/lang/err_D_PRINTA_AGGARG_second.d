BEGIN { @a = count(); printa("x", 1); }
