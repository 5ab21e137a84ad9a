struct s { int probe; };
