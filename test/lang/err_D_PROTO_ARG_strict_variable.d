BEGIN { trace(inet_ntoa6((in6_addr_t *)curthread, pid)); }
/* error: line 1: inet_ntoa6( ) argument #2 must be an integer constant */
