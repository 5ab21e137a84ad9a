BEGIN { `jiffies = 1; }
