/* A constant selects the branch of ?: that is compiled: scripts choose actions in this way. */
#pragma D option quiet

inline int OPT_time = 1;
inline int OPT_uid = 0;

BEGIN
{
	OPT_time ? printf("%s ", "time") : 1;
	OPT_uid ? printf("%s ", "uid") : 1;
	OPT_uid ? 1 : printf("%s ", "no uid");
	OPT_time && OPT_uid ? printf("both ") : OPT_time ? printf("one ") : printf("none ");
	OPT_uid ? 1 : (@n["key"] = count());
	printf("%s %d\n", 1 ? "a" : 1, 0 ? nosuch : 7);
	n = OPT_time ? 4 : "four";
	OPT_time ? n++ : n--;
	printf("%d %d\n", n, sizeof (0 ? "longer" : "one"));
	exit(0);
}
