#pragma D option nosuch
BEGIN { }
/* rows: #pragma-option */
/* error: line 1: failed to set option 'nosuch': Invalid option name */
