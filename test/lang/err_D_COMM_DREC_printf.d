BEGIN { printf("x"); commit(1); }
/* error: line 1: commit( ) may not follow data-recording action(s) */
