/* A speculation ends once: a second commit() or discard() does nothing, and its number is free once. */
#pragma D option quiet
#pragma D option nspec=1

BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("once\n"); }
BEGIN { commit(s); }
BEGIN { commit(s); }
BEGIN { discard(s); }
BEGIN { t = speculation(); printf("%d %d\n", t, speculation()); }
BEGIN { speculate(t); printf("twice\n"); }
BEGIN { discard(t); }
BEGIN { commit(t); }
BEGIN { t = speculation(); printf("%d %d\n", t, speculation()); }
