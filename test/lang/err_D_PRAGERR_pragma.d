#pragma D error stop
BEGIN { }
