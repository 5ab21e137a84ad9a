BEGIN { commit(1); trace(1); }
/* error: line 1: trace( ) may not follow commit( ): it records data */
