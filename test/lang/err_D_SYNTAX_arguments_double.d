inline int twice[int x] = x + x;
BEGIN
{
	x = twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[pid]]]]]]]]]]]]]]]]]]]]]]]]];
}
