BEGIN { pid ? (@s = count()) : (@t = count()); }
/* error: line 1: operator ?: may not have a translated object or aggregation as its operand */
