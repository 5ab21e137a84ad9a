BEGIN { @x; }
