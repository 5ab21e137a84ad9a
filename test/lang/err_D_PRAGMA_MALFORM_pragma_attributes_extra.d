#pragma D attributes Stable/Stable/Common variable pid extra
/* error: line 1: malformed #pragma D attributes: superfluous text after variable */
