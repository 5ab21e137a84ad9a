enum vmlinux`e { };
