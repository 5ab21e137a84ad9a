/* json(): elements of objects and arrays; a missing element is NULL. */
#pragma D option quiet

BEGIN
{
	s = "{ \"n\": -12.5e+3, \"s\": \"a \\\"b\\\" c\", \"t\" : true, \"f\":false, \"z\": null,  \"e\": \"\", \"o\": { \"x\": 1, \"y\": [ 2, 3 ] }, \"a\": [ 10, { \"k\": \"v\" }, [ 20, 21 ], \"}\" ] }";
	printf("[%s] [%s] [%s]\n", json(s, "n"), json(s, "s"), json(s, "e"));
	printf("[%s] [%s] [%s]\n", json(s, "t"), json(s, "f"), json(s, "z"));
	printf("[%s] [%s]\n", json(s, "o"), json(s, "a"));
	printf("[%s] [%s] [%s]\n", json(s, "o.x"), json(s, "o.y"), json(s, "o.y[1]"));
	printf("[%s] [%s] [%s]\n", json(s, "a[0]"), json(s, "a[1].k"), json(s, "a.1.k"));
	printf("[%s] [%s] [%s]\n", json(s, "a[2][1]"), json(s, "a[3]"), json(s, "a[2]"));

	printf("%d %d %d\n", json(s, "x") == NULL, json(s, "nn") == NULL, json(s, "") == NULL);
	printf("%d %d %d\n", json(s, "a[4]") == NULL, json(s, "a.k") == NULL, json(s, "o[0]") == NULL);
	printf("%d %d %d\n", json(s, "n.x") == NULL, json(s, "s[0]") == NULL, json(s, "e") == NULL);

	printf("[%s] [%s]\n", json("[1,[2,3],{\"a\":4}]", "[1][0]"), json(" [ 5 , 6 ] ", "[1]"));
	printf("[%s] [%s]\n", json("[{\"a\":7}]", "[0].a"), json("{\"a\":{\"b\":{\"c\":8}}}", "a.b.c"));
	exit(0);
}
