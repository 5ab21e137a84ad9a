#pragma D attributes Stable/Stable/Common provider p
provider p { probe a(); };
/* error: line 1: malformed #pragma D attributes: expected provider NAME and provider, module, function, name or args */
