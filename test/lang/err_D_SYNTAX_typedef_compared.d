typedef unsigned char octet;
BEGIN { octet == 5; }
/* error: line 2: syntax error near "octet" */
