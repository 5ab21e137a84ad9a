test::bad:int { }
