BEGIN { printf("%d %5.2s %-*d %c %x %p %a %A %Y %%", 1, "a", 5, 2, (char)65, arg0, curthread, sym(arg0), usym(arg0), walltimestamp); }
