/* A string that is NULL at run time frees the element, like the constant. */
#pragma D option quiet
#pragma D option strsize=16
#pragma D option dynvarsize=80

BEGIN
{
	a[1] = "one";
	a[1] = strchr(a[1], 'z');
	a[2] = "two";
	a[2] = NULL;
	a[3] = strtok("three", "-");
	a[3] = strtok(NULL, "-");
	this->s = "";
	a[4] = "four";
	a[4] = this->s == "" ? strstr(this->s, "x") : "more";
	a[5] = a[4] != NULL ? a[4] : "five";
	printf("%d%d%d%d [%s]\n", a[1] == NULL, a[2] == NULL, a[3] == NULL, a[4] == NULL, a[5]);
	exit(0);
}
