BEGIN { @a[1] = count(); @b["x"] = count(); printa("%@d", @a, @b); }
/* error: line 1: printa( ) key #1 of @a and @b differs:
	@a: int
	@b: string */
