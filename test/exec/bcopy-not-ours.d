/* bcopy() and copyinto() write to memory of the program only. */
#pragma D option quiet

char own[4];
struct other { int n; char text[8]; };

BEGIN { bcopy("xyz", own, 3); printf("%s\n", stringof(own)); }
BEGIN { bcopy("xyz", own, 5); }
BEGIN { bcopy("xyz", ((struct other *)0x2000)->text, 3); }
BEGIN { bcopy("xyz", (char *)0x3000, 3); }

ERROR
{
	printf("fault %d\n", arg4);
}
