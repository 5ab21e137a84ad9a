BEGIN { @a = count(); x = pid ? @a : 1; }
/* error: line 1: operator ?: may not have a translated object or aggregation as its operand */
