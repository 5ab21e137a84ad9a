/* Structures as keys of arrays and aggregations: compared by their bytes. */
#pragma D option quiet

struct pair {
	int a;
	int b;
};

struct pair p;
int arr[struct pair];

BEGIN
{
	p.a = 1;
	p.b = 2;
	arr[p] = 12;
	@n[p] = count();
	p.b = 3;
	arr[p] = 13;
	@n[p] = count();
	p.b = 2;
	@n[p] = count();
	printf("%d\n", arr[p]);
	p.a = 0;
	printf("%d\n", arr[p]);
	printa("%@d\n", @n);
	exit(0);
}
