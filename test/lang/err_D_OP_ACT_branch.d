BEGIN { x = pid ? exit(0) : 1; }
/* error: line 1: operator ?: may not have an action as its operand: exit( ) */
