/* Expressions are printed as D text: operands in parentheses, constants with their types. */
struct pair { int a; struct pair *next; char text[8]; };
struct other { long b; };
translator struct other < struct pair *p > { b = p->a; };
int i, n[3]; long l; string s; int assoc[int, string]; struct pair v;
self int x;
test:::none, test:::two
/i > 1 && (l || !i)/
{
	this->t = i ? l : (i, 2);
	self->x = -i + ~l * (i - 3);
	i += 2;
	i <<= 1;
	i++;
	--l;
	n[1] = assoc[i, "a\tb"];
	v.a = ((struct pair *)l)->a;
	s = stringof("x");
	trace((i, l));
	printf("%d %s\n", (short)i, s);
	@ = count();
	@named[i, l] = sum((char)-3);
	trace(xlate <struct other> (v.next).b);
	trace((struct pair *)0 == v.next);
	trace(0x80000000 + 5L + 6UL + 7U);
	trace((unsigned char)200);
	trace(sizeof (int) + offsetof(struct pair, next));
}
BEGIN { i = 1; }
END { }
/* source:
test:::none
/(i > 1) && (l || (!i))/
{
	this->t = i ? l : (i, 2);
	self->x = (-i) + ((~l) * (i - 3));
	i += 2;
	i <<= 1;
	i++;
	--l;
	n[1] = assoc[i, "a\011b"];
	v.a = ((struct pair *)l)->a;
	s = stringof ("x");
	trace((i, l));
	printf("%d %s\012", (short)i, s);
	@ = count();
	@named[i, l] = sum((char)-3);
	trace((xlate <struct other> (v.next)).b);
	trace(((struct pair *)0) == v.next);
	trace(2147483666UL);
	trace((unsigned char)200);
	trace(12UL);
}

test:::two
/(i > 1) && (l || (!i))/
{
	this->t = i ? l : (i, 2);
	self->x = (-i) + ((~l) * (i - 3));
	i += 2;
	i <<= 1;
	i++;
	--l;
	n[1] = assoc[i, "a\011b"];
	v.a = ((struct pair *)l)->a;
	s = stringof ("x");
	trace((i, l));
	printf("%d %s\012", (short)i, s);
	@ = count();
	@named[i, l] = sum((char)-3);
	trace((xlate <struct other> (v.next)).b);
	trace(((struct pair *)0) == v.next);
	trace(2147483666UL);
	trace((unsigned char)200);
	trace(12UL);
}

:::BEGIN
{
	i = 1;
}

:::END
{
}

*/
