struct s { struct nosuch a; };
