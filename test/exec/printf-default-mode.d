/* In default mode the text follows the header of the line; a line has all of its clause. */

BEGIN
{
	printf("one");
	printf(" %s", "two");
	trace(3);
}

BEGIN
{
	printf("four");
	exit(0);
}
