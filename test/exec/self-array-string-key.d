/* Bytes after the NUL of a string key do not count, in a thread-local array either. */
#pragma D option quiet

self int a[string];
this string s;

BEGIN
{
	this->s = "something long that stays in scratch memory";
	x = strjoin(this->s, this->s);
	self->a["key"] = 7;
}

END
{
	printf("%d\n", self->a["key"]);
}
