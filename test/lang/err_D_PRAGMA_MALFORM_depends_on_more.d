#pragma D depends_on provider a b
BEGIN { }
/* error: line 1: malformed #pragma D depends_on: expected provider, module or library and a name */
