BEGIN { trace(inet_ntoa6((in6_addr_t *)curthread, pid)); }
