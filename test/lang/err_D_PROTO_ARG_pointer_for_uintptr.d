BEGIN { trace(copyinstr((char *)0)); }
