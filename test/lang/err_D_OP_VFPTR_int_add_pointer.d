BEGIN { x = 1; x += curthread; }
