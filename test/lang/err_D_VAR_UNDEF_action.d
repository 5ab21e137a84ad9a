BEGIN { q -= trace(1); }
