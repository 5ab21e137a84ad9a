BEGIN { commit(1); commit(1); }
/* error: line 1: commit( ) may not follow commit( ): one is allowed in a clause */
