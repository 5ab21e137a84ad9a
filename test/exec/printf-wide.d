/* Wide strings, and long double as stored by x86. */
/* @mem kernel 0x1000 00 00 00 00 00 00 00 c0 ff 3f 00 00 00 00 00 00 */
#pragma D option quiet

struct wide {
	wchar_t text[4];
} w;

BEGIN
{
	w.text[0] = 65;
	w.text[1] = 66;
	printf("[%ls] [%5ws]\n", w.text, w.text);
	l = (long double *)0x1000;
	printf("[%Lf] [%Le] [%LE] [%Lg] [%LG]\n", *l, *l, *l, *l, *l);
	exit(0);
}
/* rows: %ls %ws %Le %LE %Lf %Lg %LG */
