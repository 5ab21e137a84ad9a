/* Before it is said that curthread cannot be written. */
BEGIN { curthread->comm[16] = 1; }
