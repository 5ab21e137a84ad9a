BEGIN { @a = count(); normalize(@a, 0); }
/* error: line 1: normalize( ) argument #2 must not be 0 */
