/* Strings made on several CPUs and in several clauses do not disturb each other. */
/* @fire syscall::read:entry cpu=0 comm=zero */
/* @fire syscall::read:entry cpu=3 comm=three */
/* @fire syscall::read:entry cpu=0 comm=again */
#pragma D option quiet

syscall::read:entry
{
	this->a = strjoin(execname, "-a");
	this->b = strjoin(this->a, "-b");
	last[cpu] = this->b;
}

syscall::read:entry
{
	this->c = toupper(this->b);
	printf("%s %s %s\n", this->a, this->b, this->c);
	printf("[%s] [%s]\n", last[0], last[3] == NULL ? "" : last[3]);
}
