/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.d: files, devices and I/O requests: fileinfo_t, devinfo_t, bufinfo_t; open files and
 * directories of the current process.
 */
#pragma D depends_on library kernel.d
#pragma D depends_on library errno.d

inline int B_BUSY = 0x1;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;
inline int B_PHYS = 0x20;
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;

/* Operations of FreeBSD's requests. */
inline int BIO_READ = 1;
inline int BIO_WRITE = 2;
inline int BIO_DELETE = 3;
inline int BIO_GETATTR = 4;
inline int BIO_FLUSH = 5;

/* ---- files ---- */

typedef struct fileinfo {
	string fi_name;     /* its name in the directory; <none>, <unknown> */
	string fi_dirname;  /* the directory */
	string fi_pathname; /* the whole path; a deleted open file has " (deleted)" after it */
	offset_t fi_offset; /* position in the file */
	string fi_fs;       /* type of the file system */
	string fi_mount;    /* mount point */
	int fi_oflags;      /* flags of open(2); 0 in probes of io */
} fileinfo_t;

/* Pipes, sockets and the like are in no directory: d_dname() makes up their names for /proc. */
inline int io_has_path[struct file *F] = F->f_path.dentry->d_op == NULL ||
    F->f_path.dentry->d_op->d_dname == NULL;

/* As /proc/PID/fd shows it: no directory has the file any more. */
inline string io_file_path[struct file *F] = F->f_inode->i_nlink == 0 ?
    strjoin(d_path(&F->f_path), " (deleted)") : d_path(&F->f_path);

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" :
	    basename(d_path(&F->f_path));
	fi_dirname = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" :
	    dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" : io_file_path[F];
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" : mount_path(&F->f_path);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline fileinfo_t fds[int64_t fd] = xlate <fileinfo_t> (getf(fd));
#pragma D binding "1.1" fds

inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);

/* ---- files of requests ---- */

/* A page can be part of a larger folio; the first page of the folio has its mapping. */
inline struct page *io_head[struct page *P] =
    (P->compound_head & 1) != 0 ? (struct page *)(P->compound_head - 1) : P;

/*
 * Pages of a file have its address_space.  Pages of processes have something else there, marked by
 * the lowest two bits.  In the kernel's own memory the word can be anything, so the file must point
 * back to it.
 */
inline int io_is_kernel[uintptr_t a] = (int64_t)a < 0 && (a & 3) == 0;

inline struct inode *io_host[struct address_space *M] =
    io_is_kernel[(uintptr_t)M] && &M->host->i_data == M ? M->host : NULL;

/* Only reads and writes carry pages; other operations on a device do not. */
inline int io_has_pages[struct bio *B] = B != NULL && (B->bi_opf & 0xfe) == 0 &&
    B->bi_iter.bi_size != 0;

inline struct bio_vec *io_vec[struct bio *B] = B->bi_io_vec + B->bi_iter.bi_idx;

/*
 * Direct transfers go from or to memory of a process.  The function called at their end knows the
 * file, in a struct iomap_dio that begins with it.  The addresses of functions can be hidden.
 */
uintptr_t io_direct_end;

dtrace:::BEGIN
/io_direct_end == 0/
{
	io_direct_end = (uintptr_t)&`iomap_dio_bio_end_io;
}

inline int io_is_direct[struct bio *B] =
    B != NULL && io_direct_end != 0 && (uintptr_t)B->bi_end_io == io_direct_end;

inline struct kiocb *io_kiocb[struct bio *B] = *(struct kiocb **)B->bi_private;

inline struct inode *io_any_inode[struct bio *B] =
    io_is_direct[B] ? io_kiocb[B]->ki_filp->f_inode :
    io_has_pages[B] ? io_host[io_head[io_vec[B]->bv_page]->mapping] : NULL;

/* A block device (type 6) is not a file: its I/O is its own or a file system's. */
inline struct inode *io_inode[struct bio *B] =
    io_any_inode[B] != NULL && (io_any_inode[B]->i_mode >> 12) != 6 ? io_any_inode[B] : NULL;

inline offset_t io_page_offset[struct bio_vec *V] = V->bv_offset +
    ((((struct folio *)io_head[V->bv_page])->index + (V->bv_page - io_head[V->bv_page])) << 12);

/* If a file has several names, the one looked up last; NULL if no name is in memory. */
inline struct dentry *io_dentry[struct inode *I] = I->i_dentry.first == NULL ? NULL :
    (struct dentry *)((uintptr_t)I->i_dentry.first - offsetof(struct dentry, d_u));

inline string io_path[struct inode *I] =
    dentry_path(sb_mount(I->i_sb, io_dentry[I]), io_dentry[I]);

inline string io_mount[struct vfsmount *M] =
    M == NULL ? "<unknown>" : dentry_path(M, M->mnt_root);

translator fileinfo_t < struct inode *I > {
	fi_name = I == NULL ? "<none>" : io_dentry[I] == NULL ? "<unknown>" :
	    stringof(io_dentry[I]->d_name.name);
	fi_dirname = I == NULL ? "<none>" : io_dentry[I] == NULL ? "<unknown>" :
	    dirname(io_path[I]);
	fi_pathname = I == NULL ? "<none>" : io_dentry[I] == NULL ? "<unknown>" : io_path[I];
	fi_offset = 0;
	fi_fs = I == NULL ? "<none>" : stringof(I->i_sb->s_type->name);
	fi_mount = I == NULL ? "<none>" : io_mount[sb_mount(I->i_sb, io_dentry[I])];
	fi_oflags = 0;
};

/* A direct transfer knows the offset at which it began. */
translator fileinfo_t < struct bio *B > {
	fi_name = xlate <fileinfo_t> (io_inode[B]).fi_name;
	fi_dirname = xlate <fileinfo_t> (io_inode[B]).fi_dirname;
	fi_pathname = xlate <fileinfo_t> (io_inode[B]).fi_pathname;
	fi_offset = io_inode[B] == NULL ? 0 : io_is_direct[B] ? io_kiocb[B]->ki_pos :
	    io_page_offset[io_vec[B]];
	fi_fs = xlate <fileinfo_t> (io_inode[B]).fi_fs;
	fi_mount = xlate <fileinfo_t> (io_inode[B]).fi_mount;
	fi_oflags = 0;
};

/* ---- devices and requests ---- */

typedef struct devinfo {
	int dev_major;       /* major number */
	int dev_minor;       /* minor number */
	int dev_instance;    /* number of the disk; for NFS the minor number */
	string dev_name;     /* the driver; nfs */
	string dev_statname; /* the disk or partition: sda1; nfs31 */
	string dev_pathname; /* /dev/ and dev_statname; <nfs> */
	string device_name;  /* as dev_name */
	int unit_number;     /* as dev_instance */
} devinfo_t;

inline struct device *io_parent[struct block_device *B] = B->bd_disk->part0->bd_device.parent;
inline string io_name[struct block_device *B] = stringof(B->bd_device.kobj.name);

inline string io_driver[struct block_device *B] =
    io_parent[B] == NULL || io_parent[B]->driver == NULL ? io_name[B] :
    stringof(io_parent[B]->driver->name);

/* Distance of minor numbers between two disks of a driver. */
inline int io_unit[struct gendisk *D] =
    D->minors > 1 ? D->first_minor / D->minors : D->first_minor;

/* A dev_t of the kernel has 20 bits of minor number (include/linux/kdev_t.h). */
translator devinfo_t < struct block_device *B > {
	dev_major = B == NULL ? 0 : B->bd_dev >> 20;
	dev_minor = B == NULL ? 0 : B->bd_dev & 0xfffff;
	dev_instance = B == NULL ? 0 : io_unit[B->bd_disk];
	dev_name = B == NULL ? "<unknown>" : io_driver[B];
	dev_statname = B == NULL ? "<unknown>" : io_name[B];
	dev_pathname = B == NULL ? "<unknown>" : strjoin("/dev/", io_name[B]);
	device_name = B == NULL ? "<unknown>" : io_driver[B];
	unit_number = B == NULL ? 0 : io_unit[B->bd_disk];
};

translator devinfo_t < struct bio *B > {
	dev_major = xlate <devinfo_t> (B->bi_bdev).dev_major;
	dev_minor = xlate <devinfo_t> (B->bi_bdev).dev_minor;
	dev_instance = xlate <devinfo_t> (B->bi_bdev).dev_instance;
	dev_name = xlate <devinfo_t> (B->bi_bdev).dev_name;
	dev_statname = xlate <devinfo_t> (B->bi_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t> (B->bi_bdev).dev_pathname;
	device_name = xlate <devinfo_t> (B->bi_bdev).device_name;
	unit_number = xlate <devinfo_t> (B->bi_bdev).unit_number;
};

/* Scripts for FreeBSD use the members named bio_. */
typedef struct bufinfo {
	int b_flags;         /* B_READ, B_WRITE or (discarded) neither, B_ASYNC, B_PHYS or B_PAGEIO, B_ERROR */
	size_t b_bcount;     /* bytes read or written; 0: discarded */
	caddr_t b_addr;      /* 0: not mapped */
	uint64_t b_lblkno;   /* as b_blkno */
	uint64_t b_blkno;    /* position on the device or partition or in an NFS file, 512 bytes each */
	size_t b_resid;      /* bytes that were not transferred */
	size_t b_bufsize;    /* as b_bcount */
	caddr_t b_iodone;    /* the kernel's function for the end of the request */
	int b_error;         /* errno, 0: none */
	dev_t b_edev;        /* the device */
	int bio_cmd;         /* BIO_READ, BIO_WRITE, BIO_DELETE or BIO_FLUSH */
	int bio_error;       /* as b_error */
	size_t bio_bcount;   /* bytes, including discarded ones */
	size_t bio_length;   /* as bio_bcount */
	size_t bio_resid;    /* bytes of bio_bcount that were not transferred */
	uint64_t bio_offset; /* b_blkno in bytes */
} bufinfo_t;

/*
 * The operation is in the low 8 bits of an opf (enum req_op), flags are above.  Nobody waits for a
 * read-ahead, nor for a write without a flag.
 */
inline int io_op[uint32_t opf] = opf & 0xff;
inline int io_has_flag[uint32_t opf, int bit] = opf >> bit & 1;
inline int io_is_async[uint32_t opf] =
    io_op[opf] == REQ_OP_READ ? io_has_flag[opf, __REQ_RAHEAD] :
    !(io_has_flag[opf, __REQ_SYNC] || io_has_flag[opf, __REQ_PREFLUSH] ||
    io_has_flag[opf, __REQ_FUA] || io_op[opf] == REQ_OP_FLUSH);

/* A discard neither reads nor writes, and transfers no byte. */
inline int io_is_discard[uint32_t opf] =
    io_op[opf] == REQ_OP_DISCARD || io_op[opf] == REQ_OP_SECURE_ERASE;

inline int io_flags[uint32_t opf, int error] =
    (io_op[opf] == REQ_OP_READ ? B_READ : io_is_discard[opf] ? 0 : B_WRITE) | (io_is_async[opf] ? B_ASYNC : 0) |
    (error != 0 ? B_ERROR : 0);

inline int io_cmd[uint32_t opf] = io_op[opf] == REQ_OP_READ ? BIO_READ :
    io_op[opf] == REQ_OP_FLUSH ? BIO_FLUSH :
    io_is_discard[opf] ? BIO_DELETE : BIO_WRITE;

/* Devices answer with a blk_status_t; these are the numbers of blk_status_to_errno(). */
inline int io_errno[int status] =
    status == 0 ? 0 : status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT : status == 3 ? ENOSPC :
    status == 4 ? ENOLINK : status == 5 ? EREMOTEIO : status == 6 ? EBADE :
    status == 7 ? ENODATA : status == 8 ? EILSEQ : status == 9 ? ENOMEM :
    status == 12 ? EAGAIN : EIO;

/* Sectors of a partition are numbered from its first one; a bio can count from the first sector
 * of the disk. */
translator bufinfo_t < struct bio *B > {
	b_flags = io_flags[B->bi_opf, (int)B->bi_status] | (io_is_direct[B] ? B_PHYS : B_PAGEIO);
	b_bcount = io_is_discard[B->bi_opf] ? 0 : B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = io_is_discard[B->bi_opf] ? 0 : B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = io_errno[(int)B->bi_status];
	b_edev = B->bi_bdev->bd_dev;
	bio_cmd = io_cmd[B->bi_opf];
	bio_error = io_errno[(int)B->bi_status];
	bio_bcount = B->bi_iter.bi_size;
	bio_length = B->bi_iter.bi_size;
	bio_resid = 0;
	bio_offset = B->bi_iter.bi_sector << 9;
};

/* ---- probes ---- */

/*
 * A request to a device is a bio, a unit of I/O.  Sites describe it in these variables: the bio,
 * its device, operation, sector, bytes and error.  A request to an NFS server has other variables
 * instead of bio, device and sector.  They are the inode of its file, the position in the file,
 * whether it bypasses the page cache, and the number of bytes not transferred.
 */
struct io_request;

this struct bio *io_bio;
this struct block_device *io_dev;
this struct inode *io_nfs;
this offset_t io_nfs_offset;
this int io_nfs_direct;
this size_t io_nfs_left;
this uint32_t io_opf;
this uint64_t io_sector;
this size_t io_bytes;
this int io_error;

inline int io_is_phys = this->io_nfs_direct || io_is_direct[this->io_bio];
inline uint64_t io_offset = this->io_nfs != NULL ? this->io_nfs_offset : this->io_sector << 9;
inline size_t io_left = this->io_nfs != NULL ? this->io_nfs_left :
    this->io_error != 0 ? this->io_bytes : 0;

translator bufinfo_t < struct io_request *R > {
	b_flags = R == NULL ? 0 :
	    io_flags[this->io_opf, this->io_error] | (io_is_phys ? B_PHYS : B_PAGEIO);
	b_bcount = io_is_discard[this->io_opf] ? 0 : this->io_bytes;
	b_addr = 0;
	b_lblkno = io_offset >> 9;
	b_blkno = io_offset >> 9;
	b_resid = io_is_discard[this->io_opf] ? 0 : io_left;
	b_bufsize = io_is_discard[this->io_opf] ? 0 : this->io_bytes;
	b_iodone = this->io_bio == NULL ? 0 : (caddr_t)this->io_bio->bi_end_io;
	b_error = this->io_error;
	b_edev = R == NULL ? 0 : this->io_nfs != NULL ? this->io_nfs->i_sb->s_dev :
	    this->io_dev->bd_dev;
	bio_cmd = R == NULL ? 0 : io_cmd[this->io_opf];
	bio_error = this->io_error;
	bio_bcount = this->io_bytes;
	bio_length = this->io_bytes;
	bio_resid = io_left;
	bio_offset = io_offset;
};

/* A mount without a device has a number that distinguishes it from other mounts. */
inline int io_nfs_minor = this->io_nfs->i_sb->s_dev & 0xfffff;

translator devinfo_t < struct io_request *R > {
	dev_major = this->io_nfs != NULL ? this->io_nfs->i_sb->s_dev >> 20 :
	    xlate <devinfo_t> (this->io_dev).dev_major;
	dev_minor = this->io_nfs != NULL ? io_nfs_minor :
	    xlate <devinfo_t> (this->io_dev).dev_minor;
	dev_instance = this->io_nfs != NULL ? io_nfs_minor :
	    xlate <devinfo_t> (this->io_dev).dev_instance;
	dev_name = this->io_nfs != NULL ? "nfs" : xlate <devinfo_t> (this->io_dev).dev_name;
	dev_statname = this->io_nfs != NULL ? strjoin("nfs", lltostr(io_nfs_minor)) :
	    xlate <devinfo_t> (this->io_dev).dev_statname;
	dev_pathname = this->io_nfs != NULL ? "<nfs>" :
	    xlate <devinfo_t> (this->io_dev).dev_pathname;
	device_name = this->io_nfs != NULL ? "nfs" :
	    xlate <devinfo_t> (this->io_dev).device_name;
	unit_number = this->io_nfs != NULL ? io_nfs_minor :
	    xlate <devinfo_t> (this->io_dev).unit_number;
};

inline struct inode *io_of_file = this->io_nfs != NULL ? this->io_nfs : io_inode[this->io_bio];

translator fileinfo_t < struct io_request *R > {
	fi_name = xlate <fileinfo_t> (io_of_file).fi_name;
	fi_dirname = xlate <fileinfo_t> (io_of_file).fi_dirname;
	fi_pathname = xlate <fileinfo_t> (io_of_file).fi_pathname;
	fi_offset = this->io_nfs != NULL ? this->io_nfs_offset :
	    xlate <fileinfo_t> (this->io_bio).fi_offset;
	fi_fs = xlate <fileinfo_t> (io_of_file).fi_fs;
	fi_mount = xlate <fileinfo_t> (io_of_file).fi_mount;
	fi_oflags = 0;
};

provider io {
	probe start(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
	probe done(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
	probe wait__start(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
	probe wait__done(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
	probe nfs::start(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
	probe nfs::done(struct io_request *r) : (bufinfo_t *r, devinfo_t *r, fileinfo_t *r);
};

/* A write without data only flushes the device's cache. */
inline uint32_t io_bio_opf[struct bio *B] =
    B->bi_iter.bi_size == 0 && io_op[B->bi_opf] == REQ_OP_WRITE ?
    B->bi_opf + (REQ_OP_FLUSH - REQ_OP_WRITE) : B->bi_opf;

/* The bio's sectors count from the start of the disk; a flush has no sector. */
inline uint64_t io_block[struct bio *B, uint64_t sector] =
    io_op[B->bi_opf] <= REQ_OP_WRITE && B->bi_iter.bi_size == 0 ? 0 :
    sector - B->bi_bdev->bd_start_sect;

/*
 * A request starts in the thread that makes it: when it is known whether it enters the device's
 * queue or is merged into another one.  Large requests have been split by then.
 */
site io:::start from rawtp:::block_getrq, rawtp:::block_bio_backmerge, rawtp:::block_bio_frontmerge
{
	this->io_bio = args[0];
	this->io_dev = args[0]->bi_bdev;
	this->io_opf = io_bio_opf[args[0]];
	this->io_sector = io_block[args[0], args[0]->bi_iter.bi_sector];
	this->io_bytes = args[0]->bi_iter.bi_size;
	return ((struct io_request *)args[0]);
}

/* Some devices complete a request in parts; the bio then has only the last part. */
int io_parts;
size_t io_part[struct bio *];

inline size_t io_done_before[struct bio *B] = io_parts ? io_part[B] : 0;

bio:::done
/args[4] < args[3]->bi_iter.bi_size/
{
	io_parts = 1;
	io_part[args[3]] += args[4];
}

/*
 * A write with a cache flush completes a second time, without data, after the flush.  A bio that
 * only flushes has no memory.  Commands of drivers (REQ_OP_DRV_IN and above) are no I/O.  Discards
 * that were merged into others are not reported as merged.
 */
inline int io_is_end[struct bio *B] = B->bi_iter.bi_size != 0 ||
    (io_op[B->bi_opf] == REQ_OP_WRITE ? io_has_flag[B->bi_opf, __REQ_PREFLUSH] && B->bi_vcnt == 0 :
    io_op[B->bi_opf] > REQ_OP_WRITE);

inline int io_is_ours[struct request *R, struct bio *B] = io_op[B->bi_opf] <= REQ_OP_WRITE ||
    (io_op[B->bi_opf] < REQ_OP_DRV_IN && R->bio == B);

site io:::done from bio:::done
/args[4] >= args[3]->bi_iter.bi_size && io_is_end[args[3]] && io_is_ours[args[0], args[3]]/
{
	this->io_bio = args[3];
	this->io_dev = args[3]->bi_bdev;
	this->io_opf = io_bio_opf[args[3]];
	this->io_error = io_errno[args[1]];
	this->io_bytes = io_done_before[args[3]];
	this->io_sector = io_block[args[3], args[3]->bi_iter.bi_sector - (this->io_bytes >> 9)];
	this->io_bytes += args[3]->bi_iter.bi_size;
	io_parts ? (io_part[args[3]] = 0) : 0;
	return ((struct io_request *)args[3]);
}

/*
 * Devices without a queue take bios: devices in memory, and devices on top of others (device
 * mapper, RAID).  They may change a bio while they process it.  A path to an NVMe device instead
 * passes the bio on and never completes it.
 */
inline int io_has_no_queue[struct gendisk *D] = D->fops->submit_bio != NULL &&
    *(uint32_t *)D->disk_name != 0x656d766e;

int io_bio_is_whole[struct bio *];
uint64_t io_bio_sector[struct bio *];
size_t io_bio_bytes[struct bio *];

rawtp:::block_bio_queue
/io_has_no_queue[args[0]->bi_bdev->bd_disk]/
{
	io_bio_is_whole[args[0]] = 1;
	io_bio_sector[args[0]] = args[0]->bi_iter.bi_sector;
	io_bio_bytes[args[0]] = args[0]->bi_iter.bi_size;
}

site io:::start from rawtp:::block_bio_queue
/io_has_no_queue[args[0]->bi_bdev->bd_disk]/
{
	this->io_bio = args[0];
	this->io_dev = args[0]->bi_bdev;
	this->io_opf = io_bio_opf[args[0]];
	this->io_sector = io_block[args[0], args[0]->bi_iter.bi_sector];
	this->io_bytes = args[0]->bi_iter.bi_size;
	return ((struct io_request *)args[0]);
}

/* A part that was split off belongs to a bio that completes later, and was not started on its
 * own. */
site io:::done from rawtp:::block_bio_complete
/io_has_no_queue[args[1]->bi_bdev->bd_disk] && io_bio_is_whole[args[1]] != 0/
{
	this->io_bio = args[1];
	this->io_dev = args[1]->bi_bdev;
	this->io_opf = io_bio_opf[args[1]];
	this->io_error = io_errno[(int)args[1]->bi_status];
	this->io_sector = io_bio_sector[args[1]] - this->io_dev->bd_start_sect;
	this->io_bytes = io_bio_bytes[args[1]];
	io_bio_is_whole[args[1]] = 0;
	return ((struct io_request *)args[1]);
}

/*
 * A request to an NFS server reads or writes a part of a file at once, through pages or directly
 * (struct nfs_pgio_header; bit 0 of rw_mode is FMODE_READ).  If the server transfers only a part,
 * the rest follows in the same request.
 */
site io:nfs::start from rawtp:nfs::nfs_initiate_read, rawtp:nfs::nfs_initiate_write
{
	this->io_nfs = args[0]->inode;
	this->io_nfs_offset = args[0]->io_start;
	this->io_nfs_direct = args[0]->dreq != NULL;
	this->io_opf = (args[0]->rw_mode & 1) != 0 ? REQ_OP_READ : REQ_OP_WRITE;
	this->io_bytes = args[0]->args.offset + args[0]->args.count - args[0]->io_start;
	return ((struct io_request *)args[0]);
}

/* The last part is one in which nothing was transferred, or one that ends at the end of the
 * file. */
site io:nfs::done from rawtp:nfs::nfs_readpage_done, rawtp:nfs::nfs_writeback_done
/args[0]->tk_status < 0 || args[1]->res.count == 0 || args[1]->res.count == args[1]->args.count ||
    ((args[1]->rw_mode & 1) != 0 && args[1]->res.eof)/
{
	this->io_nfs = args[1]->inode;
	this->io_nfs_offset = args[1]->io_start;
	this->io_nfs_direct = args[1]->dreq != NULL;
	this->io_opf = (args[1]->rw_mode & 1) != 0 ? REQ_OP_READ : REQ_OP_WRITE;
	this->io_bytes = args[1]->args.offset + args[1]->args.count - args[1]->io_start;
	this->io_error = args[0]->tk_status < 0 ? -args[0]->tk_status : 0;
	this->io_nfs_left = args[1]->args.count - (this->io_error != 0 ? 0 : args[1]->res.count);
	return ((struct io_request *)args[1]);
}

/*
 * A thread that sleeps until a request completes.  It waits for a page, a buffer or a counter, so
 * the request is unknown and the arguments are empty.
 */
site io:::wait-start from rawtp:::sched_switch
/!args[0] && args[1]->in_iowait/
{
	return ((struct io_request *)NULL);
}

/* Fires in the waiting thread, which is the next one on the CPU. */
self int io_waits;

rawtp:::sched_switch
/!args[0] && args[1]->in_iowait/
{
	self->io_waits = 1;
}

site io:::wait-done from rawtp:::sched_switch for (args[2])
/self->io_waits/
{
	self->io_waits = 0;
	return ((struct io_request *)NULL);
}
