/* INT64_MIN / -1 does not fit into 64 bits: a fault like division by zero, in all forms. */
#pragma D option quiet

BEGIN
{
	m = -9223372036854775807 - 1;
	y = -1;
	printf("%d %d %d\n", m / 1, (m + 1) / y, (m + 1) % y);
	printf("%u\n", (uint64_t)m / (uint64_t)y);
}

BEGIN
{
	printf("%d\n", m / y);
}

BEGIN
{
	printf("%d\n", m % -1);
}

BEGIN
{
	printf("%d\n", (-9223372036854775807 - 1) / -1);
}

BEGIN
{
	m /= -1;
}

BEGIN
{
	m %= y;
}

END
{
	printf("%d\n", m);
}

ERROR
{
	printf("%d\n", arg4);
}
