BEGIN { @a[1, "x"] = count(); @b[2, "y"] = sum(1); printa(@a); printa("%d %s %@u %@d", @a, @b); }
