/* curcpu is a pointer: it can be kept, cast, compared and followed. */
/* @fire syscall::read:entry cpu=0 */
#pragma D option quiet

syscall::read:entry
{
	this->c = curcpu;
	kept[cpu] = curcpu;
	printf("%d %d %d\n", this->c->cpu_id, kept[0] == curcpu, (uint64_t)curcpu != 0);
	printf("%d %d %d\n", (curcpu + 1) - this->c, curcpu->cpu_pset, curcpu->cpu_chip == chip);
	trace(curcpu->cpu_lgrp == lgrp && (*curcpu).cpu_id == cpu);
}
