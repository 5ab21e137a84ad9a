/* Errors in a clause for another target whose probe is missing here are reported by that target. */
other:test:::nosuch { trace(nosuch); }
other:test:::nosuch / nosuch / { trace(1); }
other:test:::nosuch / 1 / { trace(nosuch); }
other:test:::nosuch / stringof(1, 2) / { trace(1); }
other:test::bad:int { trace(nosuch); }
test:::none { trace(1); }
