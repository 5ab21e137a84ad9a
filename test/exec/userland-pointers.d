/* A pointer that is read from memory of the process is one of the process; one from the kernel is not. */
/* @there memory is read through variables */
/* @mem user 0x1000 00 20 00 00 00 00 00 00 00 30 00 00 00 00 00 00 00 20 00 00 00 00 00 00 */
/* @mem user 0x2000 07 00 00 00 */
/* @mem user 0x3000 00 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 */
/* @mem kernel 0x2000 01 00 00 00 */
/* @mem kernel 0x4000 00 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 */
#pragma D option quiet

typedef int *ip_t;
typedef ip_t *ipp_t;
struct s { ip_t p; struct s *next; ip_t list[1]; };

BEGIN
{
	printf("%d %d\n", **(userland int **)0x1000, **(userland ipp_t)0x1000);
	printf("%d\n", *((userland ipp_t)0x1000)[0]);
	this->s = (userland struct s *)0x1000;
	printf("%d %d %d\n", *this->s->p, *this->s->next->p, *(*this->s).next->p);
	printf("%d\n", *this->s->list[0]);
	this->p = this->s->next->p;
	printf("%d\n", *this->p);
	this->k = (struct s *)0x4000;
	printf("%d %d\n", *this->k->p, **(ipp_t)0x4000);
}
