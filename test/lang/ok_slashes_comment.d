// A comment,
BEGIN /* another */ // and a third after a description
/ pid != 1 // in a predicate "
/
{
	trace(1); // no "
	x = 6 // 2
	    / 3;
	s = "// none";
}
END / x / // after a predicate
{
}
END / x //* as it always was */
{
}
