nosuch:::nosuch { }
