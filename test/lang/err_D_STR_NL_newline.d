BEGIN { trace("a
"); }
