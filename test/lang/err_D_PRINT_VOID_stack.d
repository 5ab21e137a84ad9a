/* A stack is no value that can be printed with its type. */
BEGIN
{
	print(stack());
}
/* error: line 4: print( ) may not be applied to a stack */
