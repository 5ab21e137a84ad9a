/* tracemem(): the bytes in hexadecimal and as text; a size below the maximum cuts. */
/* @mem kernel 0x1000 "Hello, world\0" 0a 7f ff "0123" */

BEGIN
{
	tracemem(0x1000, 20);
}

BEGIN
{
	n = 5;
	tracemem(0x1000, 20, n);
	exit(0);
}
/* @afar line 6: tracemem() */
