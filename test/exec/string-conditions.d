/* Strings chosen by ?:, in predicates, as keys and as arguments. */
/* @fire syscall::read:entry comm=cat arg0=1 */
/* @fire syscall::read:entry comm=bash arg0=2 */
#pragma D option quiet
#pragma D option aggsortkey

syscall::read:entry
/substr(execname, 1, 2) == "at" || strlen(execname) == 4/
{
	this->s = arg0 == 1 ? execname : strjoin("not ", execname);
	@n[arg0 == 1 ? "first" : probefunc] = count();
	seen[this->s, execname]++;
	printf("%s %d %d\n", this->s, seen["cat", "cat"], seen["not bash", "bash"]);
	printf("%d\n", (arg0 == 1 ? "a" : "b") < (arg0 == 2 ? "a" : "b"));
}

END
{
	printa("%s %@d\n", @n);
}
