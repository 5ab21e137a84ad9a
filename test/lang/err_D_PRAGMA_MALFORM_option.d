#pragma D option quiet now
BEGIN { }
