BEGIN { normalize(@a, 2); }
/* error: line 1: undefined aggregation: @a */
