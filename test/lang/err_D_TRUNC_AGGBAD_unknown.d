BEGIN { trunc(@a); }
/* error: line 1: undefined aggregation: @a */
