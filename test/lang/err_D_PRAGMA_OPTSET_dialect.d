#pragma D option dialect=nosuch
BEGIN { }
/* error: line 1: failed to set option 'dialect=nosuch': Invalid value for specified option */
