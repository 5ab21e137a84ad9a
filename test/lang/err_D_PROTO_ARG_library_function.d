/* library: ../../dlib/errno.d ../../dlib/net.d ../../dlib/kernel.d */
BEGIN { trace(getf("x")); }
/* error: line 2: getf( ) argument #1 is incompatible with prototype:
	prototype: int64_t
	 argument: string */
