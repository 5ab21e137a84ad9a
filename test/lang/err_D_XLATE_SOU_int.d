translator int < int x > { };
/* error: line 1: translator output type must be a complete struct or union: int */
