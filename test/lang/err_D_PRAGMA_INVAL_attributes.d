#pragma D attributes A/B/C x
BEGIN { }
