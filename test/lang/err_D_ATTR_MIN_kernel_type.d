/* option: amin=Unstable/Unstable/Common */
BEGIN { trace(((struct task_struct *)0)->pid); }
/* error: line 2: attributes of the program (Private/Private/Unknown) are less than the minimum (Unstable/Unstable/Common) */
