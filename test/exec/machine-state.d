/* The state of the machine that the consumer keeps for programs: loads, and memory in pages. */
#pragma D option quiet

BEGIN
{
	this->n = 3;
	this->all = machine_state(5);
	this->free = machine_state(3);
	this->usable = machine_state(4);
	printf("%d %d %d\n", this->all >= 4096, 0 < this->free && this->free < this->all,
	    0 < this->usable && this->usable < this->all);
	printf("%d %d\n", machine_state(this->n) == this->free, machine_state(9) == this->usable);
	printf("%d\n", machine_state(0) != this->free && machine_state(0) < 65536 * 10000);
}
/* rows: machine_state */
