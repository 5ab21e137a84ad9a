/*
 * A translated object as a value: all its members, including members that are translated objects;
 * also for a translator that is checked member by member.
 */
#pragma D option quiet

typedef struct halves {
	int low;
	int high;
} halves_t;

typedef struct sum {
	char kind;
	halves_t parts;
	string text;
} sum_t;

translator halves_t < uint64_t N > {
	low = N % 10;
	high = N / 10;
};

translator sum_t < uint64_t N > {
	kind = 'k';
	parts = xlate <halves_t> (N);
	text = lltostr((int64_t)N);
};

inline sum_t sums[int n] = xlate <sum_t> ((uint64_t)n);
inline sum_t *third = xlate <sum_t *> (32ULL);

BEGIN
{
	printf("%d %d %s\n", sums[54].parts.low, third->parts.high, third->text);
	this->s = sums[77];
	s = *third;
	printf("%c %d %d %s\n", this->s.kind, this->s.parts.low, this->s.parts.high, this->s.text);
	printf("%c %d %d %s\n", s.kind, s.parts.low, s.parts.high, s.text);
	print(third->parts);
	@[xlate <halves_t> (45ULL)] = count();
}

BEGIN
{
	printf("%s %s %d\n", fds[998].fi_name, fds[-1].fi_pathname, fds[999].fi_oflags);
	f = fds[997];
	printf("%s %d\n", f.fi_mount, f.fi_offset);
	printf("%d %s\n", jid, jailname);
	printf("%d %d\n", curcpu->cpu_id == cpu, pset);
	exit(0);
}

int never; /* only the first member of a translator reads it */

struct label {
	int n;
	string text;
} label;

translator struct label < uint64_t N > {
	n = never + N;
	text = lltostr((int64_t)N);
};

END
{
	label = xlate <struct label> (12ULL);
	printf("%d %s\n", label.n, label.text);
}
/* rows: fds pset curcpu jid jailname */
