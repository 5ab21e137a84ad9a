/*
 * Clauses of one firing share its this-> variables, of any type, also if a clause assigns them
 * values of global variables; the next firing begins with new ones.
 */
/* @fire syscall::read:entry comm=a cpu=0 time=1000 */
/* @fire syscall::write:entry comm=a cpu=0 time=1000 */
/* @fire syscall::read:entry comm=b cpu=1 time=1000 */
/* @fire syscall::read:entry comm=c cpu=1 time=2000 */
#pragma D option quiet

this int n;

syscall::read:entry
{
	n++;
	this->n += n;
	this->who = strjoin(execname, "!");
}

syscall::read:entry, syscall::write:entry
/n > 1 || probefunc == "write"/
{
	this->n += 10;
	this->half = this->n / 2;
}

syscall::read:entry, syscall::write:entry
{
	printf("%s %s n %d half %d who %s\n", execname, probefunc, this->n, this->half, this->who);
}

syscall::read:entry
/this->n > 10/
{
	if (this->n == 12) {
		this->what = "twelve";
	} else {
		this->what = strtok("no-twelve", "+");
	}
	printf("%s\n", this->what);
}
