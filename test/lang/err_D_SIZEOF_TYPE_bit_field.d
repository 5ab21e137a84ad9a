struct s { int a : sizeof (void); };
BEGIN { }
/* error: line 1: sizeof may not be applied to this type: void */
