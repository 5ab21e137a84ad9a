/* exit() within an if: the later parts of the clause are clauses, and none runs any more. */
#pragma D option quiet

BEGIN
{
	x = 1;
	if (x) {
		printf("in\n");
		exit(3);
		printf("to the end of the part\n");
		if (x == 1) {
			printf("never\n");
		}
	} else {
		exit(4);
	}
	printf("never\n");
	exit(5);
}

END
{
	if (x) {
		exit(6);
	}
	printf("END goes on\n");
}
