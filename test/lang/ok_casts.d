BEGIN { x = (char)arg0; y = (string)arg1; z = (char *)curthread->comm; (void)x; u = (uintptr_t)&curthread->pid; }
