BEGIN { @a[1] = count(); @a["x"] = count(); }
/* error: line 1: aggregation @a key #1 is incompatible with prototype:
	prototype: int
	 argument: string */
