/* A stack is no value that could be printed with its type. */
BEGIN
{
	print(stack());
}
