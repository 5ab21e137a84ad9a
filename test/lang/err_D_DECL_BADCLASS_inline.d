inline self int x = 1;
