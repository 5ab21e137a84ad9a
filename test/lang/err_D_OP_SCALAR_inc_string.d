string s; BEGIN { s++; }
/* error: line 1: operator ++ requires an operand of scalar type */
