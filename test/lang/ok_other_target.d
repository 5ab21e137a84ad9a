/* What is wrong with a clause of another target that has no such probe here, that target says. */
other:test:::nosuch { trace(nosuch); }
test:::none { trace(1); }
