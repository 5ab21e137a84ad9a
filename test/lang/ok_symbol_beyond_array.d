/* What a symbol is declared with may be the beginning of something longer. */
extern int untyped[2];
BEGIN { trace(untyped[5]); }
