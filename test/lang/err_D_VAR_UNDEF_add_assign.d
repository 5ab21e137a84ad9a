BEGIN { x += 1; }
