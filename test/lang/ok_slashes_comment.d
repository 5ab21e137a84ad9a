// One comment,
BEGIN /* another */ // and one behind a description
/ pid != 1 // in a predicate "
/
{
	trace(1); // no "
	x = 6 // 2
	    / 3;
	s = "// none";
}
END / x / // behind one
{
}
END / x //* as it always was */
{
}
