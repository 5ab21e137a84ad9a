BEGIN { trace(*(void (*)(int))0); }
