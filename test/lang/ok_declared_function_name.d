/* A declared function is no name of D, so it hides none. */
int strlen(int);
extern int pid;
extern int jiffies;
int raise(int, int);
BEGIN { trace(strlen("x")); trace(pid); trace(jiffies); }
