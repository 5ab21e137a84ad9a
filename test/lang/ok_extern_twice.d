extern int untyped;
extern int untyped;
BEGIN { trace(untyped); }
