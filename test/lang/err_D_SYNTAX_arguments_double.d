inline int twice[int x] = x + x;
BEGIN
{
	x = twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[pid]]]]]]]]]]]]]]]]]]]]]]]]];
}
/* error: line 4: expression has 655358 operands with what its names stand for, 500000 are allowed */
