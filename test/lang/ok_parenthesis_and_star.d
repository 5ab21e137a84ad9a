BEGIN { x = 2; y = 3; trace((x) * (y)); trace((x)); trace((x * y)); trace((x) - 1); trace((x) * y); }
