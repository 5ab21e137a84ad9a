BEGIN { x = -execname; }
