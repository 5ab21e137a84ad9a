/* A string that was never assigned, or assigned 0, is empty. */
#pragma D option quiet

string g;

BEGIN
{
	printf("[%s] %d\n", g, strlen(g));
	g = "text";
	arr[1] = "element";
	self->s = "thread";
	printf("[%s] [%s] [%s]\n", g, arr[1], self->s);
	g = NULL;
	arr[1] = NULL;
	self->s = 0;
	printf("[%s] [%s] [%s] [%s]\n", g, arr[1], arr[2], self->s);
	exit(0);
}
