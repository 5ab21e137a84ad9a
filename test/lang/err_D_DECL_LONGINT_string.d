short string x;
