/* A name that only this implementation has is free for programs. */
typedef int cat;

int stats;

BEGIN
{
	stats = (cat)3;
	trace(stats + sizeof(cat));
}
