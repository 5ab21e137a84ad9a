/* A backslash that begins no escape stays, also in character constants. */
#pragma D option quiet

BEGIN
{
	printf("%s %d\n", "\' \? \q", strlen("\'\?\q"));
	printf("%x %x %c %x %x\n", '\'', '\q', '\'', '\\', '"');
	exit(0);
}
