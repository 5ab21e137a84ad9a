/*
 * A string is NULL after an assignment of NULL, and so is an unassigned thread-local or array
 * element.  Globals and clause-locals begin empty, which compares as NULL but can be read.
 */
#pragma D option quiet

string g;
this string t;
self string s;
self string never;
string arr[int];

BEGIN
{
	printf("[%s] %d [%s] %d\n", g, strlen(g), this->t, this->t == NULL || g == NULL);
	printf("%d %d\n", self->s == NULL, arr[1] == NULL);
	g = "text";
	arr[1] = "element";
	self->s = "thread";
	this->t = "clause";
	printf("[%s] [%s] [%s] [%s]\n", g, arr[1], self->s, this->t);
	printf("%d%d%d%d\n", g == NULL, arr[1] == NULL, self->s == NULL, this->t == NULL);
	g = NULL;
	arr[1] = NULL;
	self->s = 0;
	this->t = g;
	printf("%d%d%d%d\n", g == NULL, arr[1] == NULL, self->s == NULL, this->t == NULL);
	arr[1] = "";
	self->s = "";
	printf("[%s] [%s] %d%d\n", arr[1], self->s, arr[1] != NULL, self->s != NULL);
	g = self->s != NULL ? "none" : arr[2];
	printf("%d\n", g == NULL);
}

BEGIN { printf("[%s]\n", this->t); }
BEGIN { trace(arr[2]); }
BEGIN { trace(strlen(g)); }
BEGIN { @[self->never] = count(); }
BEGIN { trace(strchr("abc", 'x')); }
BEGIN { trace(strtok(NULL, ",")); }
BEGIN { trace(g[1]); }
BEGIN { self->never[2] = 'x'; }
BEGIN { trace(strtok(self->never, ",")); }
BEGIN { trace(toupper(arr[2])); }

BEGIN
{
	g = "old";
	g = NULL;
	g = "n";
	printf("[%s]\n", g);
	exit(0);
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
}
