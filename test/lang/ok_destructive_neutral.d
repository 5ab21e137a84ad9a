BEGIN { system("ls"); commit(1); }
