BEGIN { jstack(1, -1); }
