/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.d: files, devices and I/O requests: fileinfo_t, devinfo_t, bufinfo_t; the open files and the
 * directories of the current process.
 */
#pragma D depends_on library kernel.d

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
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	offset_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/* Pipes, sockets and the like are in no directory: d_dname() makes up what /proc shows of them. */
inline int io_has_path[struct file *F] = F->f_path.dentry->d_op == NULL ||
    F->f_path.dentry->d_op->d_dname == NULL;

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" :
	    basename(d_path(&F->f_path));
	fi_dirname = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" :
	    dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : !io_has_path[F] ? "<unknown>" : mount_path(&F->f_path);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline fileinfo_t fds[int64_t fd] = xlate <fileinfo_t> (getf(fd));
#pragma D binding "1.1" fds

inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);

/* ---- devices and requests ---- */

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

/* A dev_t of the kernel has 20 bits of minor number (include/linux/kdev_t.h). */
inline struct device *io_parent[struct block_device *B] = B->bd_disk->part0->bd_device.parent;
inline string io_name[struct block_device *B] = stringof(B->bd_device.kobj.name);

translator devinfo_t < struct block_device *B > {
	dev_major = B == NULL ? 0 : B->bd_dev >> 20;
	dev_minor = B == NULL ? 0 : B->bd_dev & 0xfffff;
	dev_instance = 0;
	dev_name = B == NULL ? "<unknown>" :
	    io_parent[B] == NULL || io_parent[B]->driver == NULL ? io_name[B] :
	    stringof(io_parent[B]->driver->name);
	dev_statname = B == NULL ? "<unknown>" : io_name[B];
	dev_pathname = B == NULL ? "<unknown>" : strjoin("/dev/", io_name[B]);
};

translator devinfo_t < struct bio *B > {
	dev_major = xlate <devinfo_t> (B->bi_bdev).dev_major;
	dev_minor = xlate <devinfo_t> (B->bi_bdev).dev_minor;
	dev_instance = xlate <devinfo_t> (B->bi_bdev).dev_instance;
	dev_name = xlate <devinfo_t> (B->bi_bdev).dev_name;
	dev_statname = xlate <devinfo_t> (B->bi_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t> (B->bi_bdev).dev_pathname;
};

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

/*
 * The operation is in the low 8 bits of bi_opf, odd if it writes; REQ_SYNC is bit 11
 * (include/linux/blk_types.h).
 */
inline int io_flags[struct bio *B] = ((B->bi_opf & 1) != 0 ? B_WRITE : B_READ) |
    ((B->bi_opf & 0x800) != 0 ? 0 : B_ASYNC) | ((int)B->bi_status != 0 ? B_ERROR : 0) | B_PAGEIO;

translator bufinfo_t < struct bio *B > {
	b_flags = io_flags[B];
	b_bcount = B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = (int)B->bi_status;
	b_edev = B->bi_bdev->bd_dev;
};
