/* Elements that are strings: assigned, replaced, deleted. */
#pragma D option quiet

string name[int];

BEGIN
{
	name[1] = "one";
	name[2] = "two";
	name[1] = strjoin(name[1], name[2]);
	printf("[%s] [%s] %d\n", name[1], name[2], name[3] == NULL);
	name[1] = 0;
	printf("%d %d\n", name[1] == NULL, name[2] == "two");
	exit(0);
}
