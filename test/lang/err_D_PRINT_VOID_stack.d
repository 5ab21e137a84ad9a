/* A stack is no value that could be printed with its type. */
BEGIN
{
	print(stack());
}
/* error: line 4: print( ) may not be applied to a stack */
