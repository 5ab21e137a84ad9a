#pragma D option quiet
struct shape {
	int kind;
	union {
		int64_t whole;
		struct {
			int low;
			int high;
		};
	};
};
struct shape s;

BEGIN
{
	s.kind = 1;
	s.low = 2;
	s.high = 3;
	printf("%d %x %d %d\n", s.kind, s.whole, (int)sizeof(s),
	    (int)offsetof(struct shape, high));
	exit(0);
}
