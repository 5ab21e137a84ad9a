/* option: amin=Unstable/Unstable/Common */
BEGIN { trace(`jiffies); }
