#pragma D binding "1.13" x
int x;
BEGIN { trace(x); }
