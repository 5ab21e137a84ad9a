translator struct nosuch < int x > { };
