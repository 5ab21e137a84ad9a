BEGIN { x = stack(); trace(x == stack()); trace(x != 0); trace(0 == x); x = 0; }
