/* library: ../../dlib/errno.d ../../dlib/net.d ../../dlib/kernel.d */
BEGIN { trace(getf("x")); }
