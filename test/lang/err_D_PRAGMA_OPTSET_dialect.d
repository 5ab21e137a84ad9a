#pragma D option dialect=nosuch
BEGIN { }
