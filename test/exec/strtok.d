/*
 * strtok(): tokens between any number of delimiters; NULL continues in the last string.  The
 * delimiter that ended a token begins the next one unless it is a delimiter again.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", strtok(NULL, ",") == NULL);
	printf("[%s]", strtok(",, a b,c;;", " ,;"));
	printf("[%s]", strtok(NULL, " ,;"));
	printf("[%s]", strtok(NULL, " ,;"));
	printf("%d", strtok(NULL, " ,;") == NULL);
	printf("%d\n", strtok(NULL, " ,;") == NULL);

	this->s = strtok("one:two three", ":");
	this->t = strtok(NULL, " ");
	this->u = strtok(NULL, "");
	this->v = strtok(NULL, "");
	printf("[%s][%s]", strtok("a:b c:", ":"), strtok(NULL, " "));
	printf("[%s]%d\n", strtok(NULL, "x"), strtok(NULL, "") == NULL);
	printf("[%s][%s][%s] %d\n", this->s, this->t, this->u, this->v == NULL);
	printf("%d %d\n", strtok("", ",") == NULL, strtok(",,,", ",") == NULL);
	printf("[%s][%s]\n", strtok("plain", ","), strtok("plain", ""));
	printf("[%s]\n", strtok("first,second", ","));
}

/* The clauses of one firing share the position. */
BEGIN
/(this->tok = strtok(NULL, ",")) != NULL/
{
	printf("[%s]\n", this->tok);
}

BEGIN
/strtok(NULL, ",") == NULL/
{
	printf("no more\n");
	exit(strtok("left,over", ",") == NULL);
}

/* Other firings do not. */
END
{
	printf("%d\n", strtok(NULL, ",") == NULL);
}
