inline int two = 2;
#pragma D attributes Stable/Stable/Common two
BEGIN { trace(two); }
