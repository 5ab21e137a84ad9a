/* Expressions that mix values of the firing with variables that machines can share. */
/* @fire syscall::read:entry pid=1 arg0=5 arg1=10 arg2=3 */
/* @fire syscall::read:entry pid=2 arg0=6 arg1=20 arg2=4 */
#pragma D option quiet

struct pair { int a; long b; };
struct pair p;
int total, list[4], keyed[int, string];
inline int plus[int x, int y] = x * total + y;
inline int twice[int x] = plus[x, x] + x;
inline int all = total + pid;

BEGIN
{
	total = 2;
}

syscall::read:entry
{
	printf("%d %d %d\n", plus[arg0, 1], twice[arg1], all);
	total += arg2;
	list[arg2 - 3] = arg0;
	list[(arg2 - 2) & 3] += total++;
	printf("%d %d %d %d\n", list[0], list[1], list[2], total);
	keyed[pid, "a"] = arg1;
	keyed[total, "b"] = keyed[pid, "a"] + 1;
	printf("%d %d\n", keyed[pid, "a"], keyed[total, "b"]);
	p.a = arg0 ? total : 0;
	p.b = (total, arg1);
	printf("%d %d %d\n", p.a++, --p.b, -p.a);
	printf("%d\n", (arg0 == 5 && total > 4) || (total ^^ arg2));
	@[total, pid] = sum(arg0 + total);
	printf("%s\n", total > 5 ? execname : "few");
}

END
{
	printa("%d %d %@d\n", @);
}
