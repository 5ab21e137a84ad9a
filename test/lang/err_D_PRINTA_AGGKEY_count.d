BEGIN { @a[1] = count(); @b = count(); printa("%@d", @a, @b); }
