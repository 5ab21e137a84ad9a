inline int twice[int x] = x + x;
BEGIN
{
	x = twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[pid]]]]]]]]]]]]]]]]]]]]]]]]];
}
/* error: line 4: expression has 655358 operands after expanding its names; 500000 are allowed */
