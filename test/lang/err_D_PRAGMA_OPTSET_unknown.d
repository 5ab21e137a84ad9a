#pragma D option nosuch
BEGIN { }
