BEGIN { @a[1] = count(); @b = count(); printa("%@d", @a, @b); }
/* error: line 1: printa( ) @a has 1 keys, @b has 0 */
