#pragma D nosuch
BEGIN { }
/* error: line 1: invalid D pragma: nosuch */
