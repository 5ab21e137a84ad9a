/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vminfo.d: the vminfo provider: events of memory pages.
 *
 * arg0 is the increment: pages for pgpgin, pgpgout, fspgin and the like, dfree, fsfree, anonfree,
 * scan and zfod, otherwise 1.  arg1 is 0, because no pointer leads to the counters of Linux.  Pages
 * are 4096 bytes.
 *
 * Never fire: execfree, execpgout (programs are not written), pgfrec, pgrec, rev, softlock (Linux
 * has nothing like them), pgswapin, pgswapout, swapin, swapout (no process is swapped as a whole).
 */
#pragma D depends_on library io.d

provider vminfo {
	probe anonfree(int64_t n, uint64_t *value);
	probe anonpgin(int64_t n, uint64_t *value);
	probe anonpgout(int64_t n, uint64_t *value);
	probe as_fault(int64_t n, uint64_t *value);
	probe cow_fault(int64_t n, uint64_t *value);
	probe dfree(int64_t n, uint64_t *value);
	probe execfree(int64_t n, uint64_t *value);
	probe execpgin(int64_t n, uint64_t *value);
	probe execpgout(int64_t n, uint64_t *value);
	probe fsfree(int64_t n, uint64_t *value);
	probe fspgin(int64_t n, uint64_t *value);
	probe fspgout(int64_t n, uint64_t *value);
	probe kernel_asflt(int64_t n, uint64_t *value);
	probe maj_fault(int64_t n, uint64_t *value);
	probe pgfrec(int64_t n, uint64_t *value);
	probe pgin(int64_t n, uint64_t *value);
	probe pgout(int64_t n, uint64_t *value);
	probe pgpgin(int64_t n, uint64_t *value);
	probe pgpgout(int64_t n, uint64_t *value);
	probe pgrec(int64_t n, uint64_t *value);
	probe pgrrun(int64_t n, uint64_t *value);
	probe pgswapin(int64_t n, uint64_t *value);
	probe pgswapout(int64_t n, uint64_t *value);
	probe prot_fault(int64_t n, uint64_t *value);
	probe rev(int64_t n, uint64_t *value);
	probe scan(int64_t n, uint64_t *value);
	probe softlock(int64_t n, uint64_t *value);
	probe swapin(int64_t n, uint64_t *value);
	probe swapout(int64_t n, uint64_t *value);
	probe zfod(int64_t n, uint64_t *value);
};

/* ---- faults, with the processor's error code: bit 0, the page is present; bit 1, a write ---- */

/*
 * The kernel copies some bytes while faults are disabled: such a fault brings no page, and the kernel
 * then faults again.
 */
inline int vminfo_is_refused = curthread->pagefault_disabled != 0;

site vminfo:::as_fault from rawtp:::page_fault_user, rawtp:::page_fault_kernel
/(args[2] & 1) == 0 && (int64_t)args[0] >= 0 && !vminfo_is_refused/
{
	return (1, (uint64_t *)NULL);
}

site vminfo:::prot_fault from rawtp:::page_fault_user, rawtp:::page_fault_kernel
/(args[2] & 1) != 0 && (int64_t)args[0] >= 0 && !vminfo_is_refused/
{
	return (1, (uint64_t *)NULL);
}

site vminfo:::kernel_asflt from rawtp:::page_fault_kernel
/(int64_t)args[0] < 0/
{
	return (1, (uint64_t *)NULL);
}

/* VM_FAULT_MAJOR is 4 (include/linux/mm_types.h). */
site vminfo:::maj_fault from fbt::handle_mm_fault:return
/(arg1 & 4) != 0/
{
	return (1, (uint64_t *)NULL);
}
else from rawtp:::mm_filemap_add_to_page_cache
/vminfo_is_awaited[args[0]]/
{
	return (1, (uint64_t *)NULL);
}

/*
 * If functions cannot be traced: a page of a file that a thread needs and then reads itself; pages
 * from swap are not seen.
 */
self uintptr_t vminfo_mapping;
self uint64_t vminfo_index;
self uint64_t vminfo_filemap_fault;

/* The faults that the thread has completed: the number of its fault while the fault lasts. */
inline uint64_t vminfo_fault = curthread->min_flt + curthread->maj_flt;

rawtp:::mm_filemap_fault
{
	self->vminfo_mapping = (uintptr_t)args[0];
	self->vminfo_index = args[1];
	self->vminfo_filemap_fault = vminfo_fault;
}

/* The flags of a page are its first word; the lowest byte of a folio's second page is its order. */
inline uint64_t vminfo_flags[void *page] = *(uint64_t *)page;

inline int vminfo_order[struct folio *F] = (vminfo_flags[F] & (1ull << PG_head)) == 0 ? 0 :
    vminfo_flags[(void *)((uintptr_t)F + sizeof (struct page))] & 0xff;

inline int vminfo_is_awaited[struct folio *F] = self->vminfo_mapping != 0 &&
    self->vminfo_filemap_fault == vminfo_fault &&
    (uintptr_t)F->mapping == self->vminfo_mapping &&
    self->vminfo_index - F->index < 1ull << vminfo_order[F];

/* ---- new pages of processes: __GFP_MOVABLE 0x8, __GFP_ZERO 0x100 (include/linux/gfp_types.h) ---- */

/* Huge pages are allocated elsewhere. */
site vminfo:::zfod from rawtp:::mm_page_alloc
/(args[2] & 0x108) == 0x108 && args[0] != NULL/
{
	return (1ll << args[1], (uint64_t *)NULL);
}

site vminfo:::cow_fault from fbt::wp_page_copy:entry
{
	return (1, (uint64_t *)NULL);
}
else from rawtp:::mm_page_alloc
/self->vminfo_writes && self->vminfo_page_fault == vminfo_fault && (args[2] & 0x108) == 0x8 &&
    args[1] == 0/
{
	return (1, (uint64_t *)NULL);
}

/* True if the last fault of the thread is a write to a present page. */
self int vminfo_writes;
self uint64_t vminfo_page_fault;

rawtp:::page_fault_user, rawtp:::page_fault_kernel
{
	self->vminfo_writes = (args[2] & 3) == 3 && !vminfo_is_refused;
	self->vminfo_page_fault = vminfo_fault;
}

/* ---- pages to and from disks: REQ_OP_READ is 0, REQ_OP_WRITE 1 ---- */

/* A request to a device on top of others counts there; lower devices get clones of it. */
inline int vminfo_is_io[struct bio *B, int op] = (B->bi_opf & 0xff) == op && io_has_pages[B] &&
    (B->bi_flags & (1 << BIO_CLONED)) == 0 && !io_is_direct[B];

inline struct page *vminfo_page[struct bio *B] = io_head[io_vec[B]->bv_page];

/* Memory of processes belongs to no file.  Outside of the swap cache, it belongs to a direct
 * transfer. */
inline int vminfo_is_anon[struct page *P] =
    (vminfo_flags[P] & (1ull << PG_swapbacked)) != 0 && !io_is_kernel[(uintptr_t)P->mapping] &&
    ((vminfo_flags[P] & (1ull << PG_swapcache)) != 0 || P->mapping == NULL);

inline int vminfo_is_file[struct bio *B] =
    !io_is_kernel[(uintptr_t)vminfo_page[B]->mapping] ? 0 : io_inode[B] != NULL;

/* An executable file. */
inline int vminfo_is_exec[struct bio *B] = vminfo_is_file[B] && (io_inode[B]->i_mode & 0111) != 0;

inline int vminfo_is_paging[struct bio *B, int op] =
    vminfo_is_io[B, op] && (vminfo_is_file[B] || vminfo_is_anon[vminfo_page[B]]);

inline int64_t vminfo_pages[struct bio *B] = (B->bi_iter.bi_size + 4095) >> 12;

site vminfo:::pgin from rawtp:::block_bio_queue
/vminfo_is_paging[args[0], 0]/
{
	return (1, (uint64_t *)NULL);
}

site vminfo:::pgpgin from rawtp:::block_bio_queue
/vminfo_is_paging[args[0], 0]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::anonpgin from rawtp:::block_bio_queue
/vminfo_is_io[args[0], 0] && vminfo_is_anon[vminfo_page[args[0]]]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::execpgin from rawtp:::block_bio_queue
/vminfo_is_io[args[0], 0] && vminfo_is_exec[args[0]]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::fspgin from rawtp:::block_bio_queue
/vminfo_is_io[args[0], 0] && vminfo_is_file[args[0]] && !vminfo_is_exec[args[0]]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::pgout from rawtp:::block_bio_queue
/vminfo_is_paging[args[0], 1]/
{
	return (1, (uint64_t *)NULL);
}

site vminfo:::pgpgout from rawtp:::block_bio_queue
/vminfo_is_paging[args[0], 1]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::anonpgout from rawtp:::block_bio_queue
/vminfo_is_io[args[0], 1] && vminfo_is_anon[vminfo_page[args[0]]]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

site vminfo:::fspgout from rawtp:::block_bio_queue
/vminfo_is_io[args[0], 1] && vminfo_is_file[args[0]]/
{
	return (vminfo_pages[args[0]], (uint64_t *)NULL);
}

/* ---- reclaim ---- */

site vminfo:::pgrrun from rawtp:::mm_vmscan_kswapd_wake
{
	return (1, (uint64_t *)NULL);
}

site vminfo:::scan from rawtp:::mm_vmscan_lru_shrink_inactive
{
	return ((int64_t)args[1], (uint64_t *)NULL);
}

site vminfo:::dfree from rawtp:::mm_vmscan_lru_shrink_inactive
/args[2] != 0/
{
	return ((int64_t)args[2], (uint64_t *)NULL);
}

site vminfo:::fsfree from rawtp:::mm_vmscan_lru_shrink_inactive
/args[2] != 0 && args[5] != 0/
{
	return ((int64_t)args[2], (uint64_t *)NULL);
}

site vminfo:::anonfree from rawtp:::mm_vmscan_lru_shrink_inactive
/args[2] != 0 && args[5] == 0/
{
	return ((int64_t)args[2], (uint64_t *)NULL);
}
