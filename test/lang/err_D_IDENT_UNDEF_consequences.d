BEGIN /n++/ { trace(nosuch); if (pid) { a = 1; } else { b = 2; } self->c[1] = 1; @d[1] = count(); e++; --f; g[2] += 1; trace(h = 3); pid ? (i = 1) : (j = 2); this->k = 1; }
END { trace(a); }
END { trace(b); }
END { trace(self->c[1]); }
END { printa(@d); }
END { trace(e); }
END { trace(f); }
END { trace(g[2]); }
END { trace(h); }
END { trace(i); }
END { trace(j); }
END { trace(this->k); }
END { trace(n); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
