#nosuch
BEGIN { }
/* error: line 1: invalid control directive: #nosuch */
