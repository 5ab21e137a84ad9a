/* option: amin=Unstable/Unstable/Common */
BEGIN { trace(((struct task_struct *)0)->pid); }
