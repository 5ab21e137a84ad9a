BEGIN { x = curthread; x += curthread; }
