BEGIN { args = 1; }
