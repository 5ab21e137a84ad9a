/* nothing */
/* error: line 2: empty D program translation unit */
