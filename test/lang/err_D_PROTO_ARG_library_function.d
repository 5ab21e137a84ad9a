/* library: ../../dlib/errno.d ../../dlib/kernel.d ../../dlib/net.d */
BEGIN { trace(getf("x")); }
/* error: line 2: getf( ) argument #1 is incompatible with prototype:
	prototype: int64_t
	 argument: string */
