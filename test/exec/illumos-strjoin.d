/* strjoin() over strsize is a fault: the same program as oracle-strjoin.d. */
#pragma D option quiet

#pragma D option strsize=8

BEGIN { printf("%s\n", strjoin("1234", "5678")); }
BEGIN { printf("%s\n", strjoin("1234", "56789")); }
BEGIN { printf("%s\n", strjoin("12345678", "1")); }
BEGIN { exit(0); }
