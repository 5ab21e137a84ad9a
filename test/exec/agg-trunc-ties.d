/* Among equal values trunc(@a, n) keeps the larger keys, trunc(@a, -n) the smaller ones. */
#pragma D option quiet

BEGIN
{
	@a["one"] = sum(1);
	@a["two"] = sum(1);
	@a["three"] = sum(1);
	@a["four"] = sum(1);
	@b["one"] = sum(1);
	@b["two"] = sum(1);
	@b["three"] = sum(1);
	trunc(@a, 2);
	printa("%s ", @a);
	trunc(@b, -2);
	printa("%s ", @b);
}
