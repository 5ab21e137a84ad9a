BEGIN { trace(((atomic_t *)0)->counter); }
