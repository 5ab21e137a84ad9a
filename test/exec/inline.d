/* An inline stands for its expression, which is computed at each use. */
#pragma D option quiet

inline int TEN = 10;
inline string HELLO = "hello";
inline int64_t twice[int64_t n] = n * 2;
inline string greet[string who] = strjoin(HELLO, who);
inline int is_small[int a, int b] = a + b < TEN;

int arr[int];

BEGIN
{
	x = 4;
	printf("%d %d %d\n", TEN, twice[x], twice[x + TEN]);
	printf("%s %s\n", HELLO, greet[" you"]);
	printf("%d %d\n", is_small[x, 5], is_small[x, 6]);
	x = 100;
	printf("%d %d\n", twice[x], twice[twice[x]]);
	exit(0);
}
