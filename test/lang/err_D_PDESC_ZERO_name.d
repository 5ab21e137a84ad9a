nosuch:::nosuch { }
/* error: line 1: probe description nosuch:::nosuch does not match any probes */
