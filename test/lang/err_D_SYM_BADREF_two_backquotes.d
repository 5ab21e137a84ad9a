BEGIN { trace(vmlinux``jiffies); }
/* error: line 1: kernel symbol jiffies is referenced as a user symbol */
