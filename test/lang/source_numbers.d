BEGIN { trace(5); trace(5U); trace(5L); trace(5UL); trace(-5); trace((char)5); trace((unsigned short)5); trace((char)-5); trace(0xffffffffffffffff); trace(NULL); trace((void *)5); trace(&`jiffies); trace(-(1 + pid)); trace(stringof(pid)); trace((string)execname); }
/* source:
:::BEGIN
{
	trace(5);
	trace(5U);
	trace(5L);
	trace(5UL);
	trace(-5);
	trace((char)5);
	trace((unsigned short)5);
	trace((char)-5);
	trace(18446744073709551615UL);
	trace(0);
	trace((void *)5);
	trace(&`jiffies);
	trace(-(1 + pid));
	trace(stringof (pid));
	trace((string)execname);
}

*/
