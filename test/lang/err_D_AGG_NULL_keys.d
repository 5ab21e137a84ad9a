BEGIN { @x[1]; }
