a:dtrace:::BEGIN { }
