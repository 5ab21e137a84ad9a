/* A declared function is no name of D: it takes the place of none. */
int strlen(int);
extern int pid;
extern int jiffies;
int raise(int, int);
BEGIN { trace(strlen("x")); trace(pid); trace(jiffies); }
