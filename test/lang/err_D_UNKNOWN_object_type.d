BEGIN { trace((a.out`struct nosuch *)1); }
/* error: line 1: failed to resolve struct a.out`nosuch: no such type */
