BEGIN
{
	if (nosuch) {
		trace(another);
	}
}
/* error: line 3: failed to resolve nosuch: unknown variable name */
