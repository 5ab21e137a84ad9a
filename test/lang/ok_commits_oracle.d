/* rows: DIALECT_MANY_COMMITS */
#pragma D option dialect=oracle
BEGIN { commit(1); commit(1); }
