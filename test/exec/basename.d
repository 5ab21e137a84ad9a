/* basename(), dirname() as in POSIX. */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", basename("/a/b/c"), basename("/a/b/"), basename("name"));
	printf("%s %s %s %s\n", basename(""), basename("/"), basename("//"), basename("a//"));
	printf("%s %s %s\n", dirname("/a/b/c"), dirname("/a/b/"), dirname("a/b"));
	printf("%s %s %s %s\n", dirname(""), dirname("/"), dirname("a"), dirname("/a"));
	printf("%s %s\n", dirname("a//b//"), dirname("//a"));
	path = "/usr/lib/x";
	printf("%s %s\n", dirname(path), basename(dirname(path)));
	exit(0);
}
/* rows: dirname */
