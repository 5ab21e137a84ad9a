/* A string that is NULL when it runs frees the element, as the constant does. */
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
	a[4] = this->s;
	a[5] = a[4] != NULL ? a[4] : "five";
	printf("[%s] [%s] [%s] [%s] [%s]\n", a[1], a[2], a[3], a[4], a[5]);
	exit(0);
}
