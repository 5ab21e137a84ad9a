signed signed x;
