struct s { foo a; };
