/* cleanpath(): // and /./ are one slash, /../ takes a component back. */
#pragma D option quiet

BEGIN
{
	printf("[%s][%s][%s][%s]\n", cleanpath(""), cleanpath("/"), cleanpath("//"), cleanpath("/./"));
	printf("[%s][%s][%s]\n", cleanpath("/."), cleanpath("./"), cleanpath("/a/b/."));
	printf("[%s][%s]\n", cleanpath("/../"), cleanpath("/../../"));
	printf("[%s][%s]\n", cleanpath("/a//b///c/"), cleanpath("/a/./b/././c"));
	printf("[%s][%s]\n", cleanpath("/a/b/../c"), cleanpath("/a/b/../../../c"));
	printf("[%s][%s]\n", cleanpath("a/b/./../c"), cleanpath("../a/b"));
	printf("[%s][%s][%s]\n", cleanpath("/a/.b/..c/...d"), cleanpath("/a/.."), cleanpath("a.b/c"));
	printf("[%s]\n", cleanpath("/usr/lib/../../././usr//sbin/../bin/x"));
	printf("[%s][%s][%s][%s]\n", cleanpath("/foo/bar/.."), cleanpath("/.."), cleanpath("a/b/.."), cleanpath("a/.."));
	printf("[%s][%s][%s]\n", cleanpath("/a/..b"), cleanpath("/a/b/../.."), cleanpath(".."));
	exit(0);
}
