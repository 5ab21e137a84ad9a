#pragma error
BEGIN { }
/* error: line 1: #error:  */
