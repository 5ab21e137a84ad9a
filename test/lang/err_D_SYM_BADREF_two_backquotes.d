BEGIN { trace(vmlinux``jiffies); }
