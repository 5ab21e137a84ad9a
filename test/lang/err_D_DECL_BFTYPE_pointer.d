struct s { char *a:3; };
