BEGIN { total_bytes = 1; trace(total_byte); }
/* error: line 1: failed to resolve total_byte: unknown variable name; did you mean total_bytes? */
