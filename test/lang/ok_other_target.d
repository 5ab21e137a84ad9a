/* Errors in a clause for another target whose probe is missing here are reported by that target. */
other:test:::nosuch { trace(nosuch); }
test:::none { trace(1); }
