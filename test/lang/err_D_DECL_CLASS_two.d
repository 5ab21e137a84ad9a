self static int x;
