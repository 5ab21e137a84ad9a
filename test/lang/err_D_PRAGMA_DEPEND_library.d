#pragma D depends_on library ip.d
BEGIN { }
/* error: line 1: only a library may depend on a library: ip.d */
