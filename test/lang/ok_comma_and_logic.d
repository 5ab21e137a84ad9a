BEGIN { x = (1, 2); y = 1 ^^ 0; z = x && y || !x; }
