struct vmlinux`s { int a; };
BEGIN { }
