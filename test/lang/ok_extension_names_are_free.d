/* Programs can use names that only this implementation defines. */
typedef int cat;

int stats;

BEGIN
{
	stats = (cat)3;
	trace(stats + sizeof(cat));
}
