typedef unsigned long long big;
big x;
BEGIN { x = 5; trace(x + 1); }
