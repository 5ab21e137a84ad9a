BEGIN { x = (int)trace(1); }
