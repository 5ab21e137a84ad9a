/* An error in front of the requested element makes it NULL; an error after it has no effect. */
#pragma D option quiet

BEGIN
{
	printf("%d%d%d\n", json("", "a") == NULL, json("12", "a") == NULL, json("\"a\"", "a") == NULL);
	printf("%d%d%d\n", json("{", "a") == NULL, json("{\"a\"", "a") == NULL, json("{\"a\":", "a") == NULL);
	printf("%d%d%d\n", json("{\"a\":0x1}", "a") == NULL, json("{\"a\":1.}", "a") == NULL, json("{\"a\":-}", "a") == NULL);
	printf("%d%d%d\n", json("{\"a\":True}", "a") == NULL, json("{\"a\":nul}", "a") == NULL, json("{\"a\":\"x", "a") == NULL);
	printf("%d%d%d\n", json("{a:1}", "a") == NULL, json("{\"a\" 1}", "a") == NULL, json("{\"b\":1 \"a\":2}", "a") == NULL);
	printf("%d%d%d\n", json("{}", "a") == NULL, json("[]", "[0]") == NULL, json("[1,", "[1]") == NULL);
	printf("%d%d%d\n", json("{\"b\":tru,\"a\":1}", "a") == NULL, json("{\"b\":{\"a\":2", "a") == NULL, json("[1 2]", "[1]") == NULL);
	printf("[%s][%s][%s]\n", json("{\"a\":1 oops", "a"), json("{\"a\":[1}", "a[0]"), json("[1,2 x", "[1]"));
	printf("[%s]%d\n", json("{\"a\":\"\\u12aF\"}", "a"), json("{\"a\":\"\\u12g4\"}", "a") == NULL);
	printf("%d%d\n", json("{\"a\":\"\\u12\"}", "a") == NULL, json("{\"\\u\":1,\"a\":2}", "a") == NULL);
	printf("[%s][%s]\n", json("[\"\\\\u\", 1]", "[1]"), json("[\"\\u12345\"]", "[0]"));
	exit(0);
}
