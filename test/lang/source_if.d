/* A clause with conditions becomes clauses with predicates; one with one part stays as it is. */
int i, j;
test:::none { if (i) { j = 1; } else if (j > 2) j = 2; else { j = 3; i = 0; } trace(j); }
test:::two /i == 3/ { if (i) j = 1; }
test:::two /i == 4/ { j = 4; }
/* source:
test:::none
{
	this->%condition_1 = i ? 1 : 0;
}

test:::none
/this->%condition_1/
{
	j = 1;
}

test:::none
/!this->%condition_1/
{
	this->%condition_2 = (j > 2) ? 1 : 0;
}

test:::none
/!this->%condition_1 && this->%condition_2/
{
	j = 2;
}

test:::none
/!this->%condition_1 && !this->%condition_2/
{
	j = 3;
	i = 0;
}

test:::none
{
	trace(j);
}

test:::two
{
	this->%condition_0 = (i == 3) ? 1 : 0;
}

test:::two
/this->%condition_0/
{
	this->%condition_1 = i ? 1 : 0;
}

test:::two
/this->%condition_0 && this->%condition_1/
{
	j = 1;
}

test:::two
/i == 4/
{
	j = 4;
}

*/
