/* This error comes before the one that curthread cannot be written. */
BEGIN { curthread->comm[16] = 1; }
/* error: line 2: index 16 is out of bounds: comm has 16 elements */
