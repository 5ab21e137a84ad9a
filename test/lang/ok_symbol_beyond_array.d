/* The declared type of a symbol can be the beginning of a longer one. */
extern int untyped[2];
BEGIN { trace(untyped[5]); }
