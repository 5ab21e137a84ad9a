/* What is wrong in front of the element that is looked for makes it NULL; behind it, nothing. */
#pragma D option quiet

BEGIN
{
	printf("[%s][%s][%s]\n", json("", "a"), json("12", "a"), json("\"a\"", "a"));
	printf("[%s][%s][%s]\n", json("{", "a"), json("{\"a\"", "a"), json("{\"a\":", "a"));
	printf("[%s][%s][%s]\n", json("{\"a\":0x1}", "a"), json("{\"a\":1.}", "a"), json("{\"a\":-}", "a"));
	printf("[%s][%s][%s]\n", json("{\"a\":True}", "a"), json("{\"a\":nul}", "a"), json("{\"a\":\"x", "a"));
	printf("[%s][%s][%s]\n", json("{a:1}", "a"), json("{\"a\" 1}", "a"), json("{\"b\":1 \"a\":2}", "a"));
	printf("[%s][%s][%s]\n", json("{}", "a"), json("[]", "[0]"), json("[1,", "[1]"));
	printf("[%s][%s][%s]\n", json("{\"b\":tru,\"a\":1}", "a"), json("{\"b\":{\"a\":2", "a"), json("[1 2]", "[1]"));
	printf("[%s][%s][%s]\n", json("{\"a\":1 oops", "a"), json("{\"a\":[1}", "a[0]"), json("[1,2 x", "[1]"));
	exit(0);
}
