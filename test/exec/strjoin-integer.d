/* The second argument of strjoin() can be an integer. */
#pragma D option quiet

BEGIN
{
	this->n = (char)-5;
	printf("%s %s %s\n", strjoin("a", 12), strjoin("b", this->n), strjoin("c", strlen("four")));
	printf("%s\n", strjoin(strjoin("d", 1 << 31), "e"));
	exit(0);
}
