int x;
17 { trace(1); }
17 / x / { if (x) trace(2); }
BEGIN { x = 1; }
/* source:
17
{
	trace(1);
}

17
{
	this->%condition_0 = x ? 1 : 0;
}

17
/this->%condition_0/
{
	this->%condition_1 = x ? 1 : 0;
}

17
/this->%condition_0 && this->%condition_1/
{
	trace(2);
}

:::BEGIN
{
	x = 1;
}

*/
