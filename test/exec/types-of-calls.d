/* Types of system call arguments with other names in the kernel; programs can define their own. */
#pragma D option quiet

struct timeval {
	int64_t seconds;
	int tv_usec;
	char zone[3];
};

BEGIN
{
	this->t = (struct timespec *)alloca(sizeof (struct timespec));
	this->t->tv_sec = 5;
	this->t->tv_nsec = -7;
	printf("%d %d %d\n", sizeof (struct timespec), this->t->tv_sec, this->t->tv_nsec);
	printf("%d %d\n", sizeof (struct timeval), offsetof(struct timeval, zone));
	printf("%d %d %d %d\n", sizeof (in_addr_t), sizeof (in_port_t), sizeof (socklen_t), sizeof (off64_t));
	printf("%d %d\n", sizeof (suseconds_t), (useconds_t)-1 > 0);
	exit(0);
}
