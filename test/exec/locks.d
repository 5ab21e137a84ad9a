/* The subroutines on locks decode the words of Linux's locks. */
#pragma D option quiet

BEGIN
{
	this->m = (struct mutex *)alloca(sizeof (struct mutex));
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL);
	this->m->owner.counter = (long)curthread | 5;
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread);
	printf("%d %d\n", mutex_type_adaptive(this->m), mutex_type_spin(this->m));

	this->l = (rwlock_t *)alloca(sizeof (rwlock_t));
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	this->l->raw_lock.cnts.counter = 3 << 9;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	this->l->raw_lock.cnts.counter |= 0x100;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	this->l->raw_lock.cnts.counter = 0xff;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	exit(0);
}
/* rows: mutex_owned mutex_owner mutex_type_adaptive mutex_type_spin rw_iswriter rw_read_held rw_write_held */
/* @afar reading memory */
