#pragma D option nosuch
BEGIN { }
/* rows: #pragma-option */
