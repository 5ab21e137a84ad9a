/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fsinfo.d: the fsinfo provider: completed operations of file systems.  args[0] describes the file;
 * args[1] is the number of bytes read or written, or 0.  The function of read and write is their
 * road: the call that moves the bytes.  The vfs provider (vop.d) has the same functions, and the same
 * system calls where functions cannot be traced.  A system call has a path, but neither the file
 * system nor the mount to which the path leads.
 */
#pragma D depends_on library vfs.d

/* The open file of the name that the site returns, if there is one. */
this struct file *fs_file;

inline string fs_path[struct dentry *D] = dentry_path(sb_mount(D->d_sb, D), D);

/*
 * A system call that takes a path: the descriptor of the directory in which the path begins, and the
 * address of the path.  The path is read when the call returns, because its page is in memory then.
 */
self int fs_at;
self uintptr_t fs_arg;

syscall::stat:entry, syscall::lstat:entry, syscall::chmod:entry, syscall::chown:entry,
syscall::lchown:entry, syscall::truncate:entry, syscall::utime:entry, syscall::utimes:entry,
syscall::readlink:entry, syscall::mkdir:entry, syscall::rmdir:entry, syscall::unlink:entry,
syscall::rename:entry
{
	self->fs_at = AT_FDCWD;
	self->fs_arg = arg0;
}

syscall::link:entry, syscall::symlink:entry
{
	self->fs_at = AT_FDCWD;
	self->fs_arg = arg1;
}

syscall::newfstatat:entry, syscall::statx:entry, syscall::fchmodat:entry,
syscall::fchmodat2:entry, syscall::fchownat:entry, syscall::utimensat:entry,
syscall::futimesat:entry, syscall::readlinkat:entry, syscall::mkdirat:entry,
syscall::unlinkat:entry, syscall::renameat:entry, syscall::renameat2:entry
{
	self->fs_at = (int)arg0;
	self->fs_arg = arg1;
}

syscall::symlinkat:entry
{
	self->fs_at = (int)arg1;
	self->fs_arg = arg2;
}

syscall::linkat:entry
{
	self->fs_at = (int)arg2;
	self->fs_arg = arg3;
}

syscall::fstat:entry, syscall::fchmod:entry, syscall::fchown:entry, syscall::ftruncate:entry
{
	self->fs_at = (int)arg0;
	self->fs_arg = 0;
}

/* The path's address if the kernel could read the path.  An empty path means the descriptor. */
inline uintptr_t fs_text_of[uintptr_t path] =
    errno != EFAULT && errno != EBADF && vfs_is_text[path] ? path : 0;
inline struct file *fs_file_of[uintptr_t path] =
    errno == 0 && path == 0 ? vfs_if_path[getf(self->fs_at)] : NULL;

/* The address of a path, for sites that know nothing else. */
this uintptr_t fs_text;

inline struct path *fs_start =
    self->fs_at == AT_FDCWD ? &curthread->fs->pwd : &getf(self->fs_at)->f_path;

inline string fs_given =
    this->fs_text == 0 ? "<unknown>" : path_below(fs_start, copyinstr(this->fs_text));

/*
 * The name that a site returns: the name of an open file, a name without an open file, or the path of
 * the system call.
 */
inline struct dentry *fs_of[struct file *F] = (this->fs_file = F)->f_path.dentry;
inline struct dentry *fs_of_name[struct dentry *D] = (this->fs_file = NULL, D);
inline struct dentry *fs_of_path = (this->fs_text = fs_text_of[self->fs_arg],
    this->fs_file = fs_file_of[this->fs_text]) == NULL ? NULL : this->fs_file->f_path.dentry;

translator fileinfo_t < struct dentry *D > {
	fi_name = D == NULL ? basename(fs_given) : stringof(D->d_name.name);
	fi_dirname = D == NULL ? this->fs_text == 0 ? "<unknown>" : dirname(fs_given) :
	    this->fs_file != NULL ? dirname(d_path(&this->fs_file->f_path)) : dirname(fs_path[D]);
	fi_pathname = D == NULL ? fs_given : this->fs_file != NULL ?
	    io_file_path[this->fs_file] : fs_path[D];
	fi_offset = D == NULL || this->fs_file == NULL ? 0 : this->fs_file->f_pos;
	fi_fs = D == NULL ? "<unknown>" : stringof(D->d_sb->s_type->name);
	fi_mount = D == NULL ? "<unknown>" : this->fs_file != NULL ?
	    mount_path(&this->fs_file->f_path) : io_mount[sb_mount(D->d_sb, D)];
	fi_oflags = D == NULL || this->fs_file == NULL ? 0 : this->fs_file->f_flags;
};

inline int fs_bytes[int64_t result] = result > 0 ? (int)result : 0;

/* Requests of io_uring that move bytes.  The last two exist since 6.15. */
inline struct io_kiocb *uring_req = (struct io_kiocb *)arg1;
inline int uring_is_read[int op] = op == IORING_OP_READV || op == IORING_OP_READ_FIXED ||
    op == IORING_OP_READ || op == 60;
inline int uring_is_write[int op] = op == IORING_OP_WRITEV || op == IORING_OP_WRITE_FIXED ||
    op == IORING_OP_WRITE || op == 61;

/*
 * Requests of io_submit() are in the memory of the process.  Of a call, the first eight count, and
 * of these the requests for the file of the first.  The bytes are those that a request names,
 * because its result comes later; a read ends at the end of a regular file (S_IFREG,
 * include/uapi/linux/stat.h).  include/uapi/linux/aio_abi.h has the numbers of operations: 0 and 1
 * have a buffer, 7 and 8 a vector, whose first four parts count.
 */
self int64_t aio_n;
self int aio_fd;
self struct file *aio_file;
self uintptr_t aio_list;
self int64_t aio_read;
self int64_t aio_written;
self int64_t aio_lost;
this struct iocb *aio;
this int64_t aio_bytes;
this int64_t aio_end;

inline struct iocb *aio_at[int i] =
    (struct iocb *)copyin(*(uint64_t *)copyin(self->aio_list + (i << 3), 8), sizeof (struct iocb));
inline uint64_t aio_part[int i] = i >= this->aio->aio_nbytes ? 0 :
    *(uint64_t *)copyin(this->aio->aio_buf + (i << 4) + 8, 8);
inline int64_t aio_asked = this->aio->aio_lio_opcode < 7 ? this->aio->aio_nbytes :
    aio_part[0] + aio_part[1] + aio_part[2] + aio_part[3];
inline int64_t aio_readable = (self->aio_file->f_inode->i_mode & 0170000) == 0100000 ?
    self->aio_file->f_inode->i_size - this->aio->aio_offset : this->aio_bytes;

/* Sets of operations, as bits: without branches, the kernel verifies more requests. */
inline int aio_is_in[int set] = (set >> (this->aio->aio_lio_opcode & 15)) & 1;
inline int aio_reads = 0x81;
inline int aio_writes = 0x102;
inline int aio_vectors = 0x180;
inline int aio_is_part = this->aio->aio_fildes != self->aio_fd ||
    (aio_is_in[aio_vectors] & (this->aio->aio_nbytes > 4));

/* Takes a request; returns whether it moves bytes. */
inline int aio_take[int i] = i < self->aio_n && (this->aio = aio_at[i]) != NULL &&
    aio_is_in[aio_reads | aio_writes];
inline int aio_is_ours = self->aio_file != NULL && this->aio->aio_fildes == self->aio_fd;
inline int64_t aio_to_read = this->aio_end < 0 ? 0 : this->aio_bytes < this->aio_end ?
    this->aio_bytes : this->aio_end;

/* Counts the request that aio_take took. */
inline int64_t aio_count = (this->aio_bytes = aio_is_ours ? aio_asked : 0,
    this->aio_end = aio_is_ours ? aio_readable : 0,
    self->aio_read += aio_is_in[aio_reads] * aio_to_read,
    self->aio_written += aio_is_in[aio_writes] * this->aio_bytes,
    self->aio_lost += aio_is_part);

syscall::io_submit:entry
{
	self->aio_list = arg2;
	self->aio_n = (int64_t)arg1;
	self->aio_fd = self->aio_n > 0 ? aio_at[0]->aio_fildes : -1;
	self->aio_file = vfs_if_path[getf(self->aio_fd)];
	self->aio_read = 0;
	self->aio_written = 0;
	self->aio_lost = self->aio_n > 8 ? self->aio_n - 8 : 0;
}

syscall::io_submit:entry
/aio_take[0]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[1]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[2]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[3]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[4]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[5]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[6]/
{
	aio_count;
}

syscall::io_submit:entry
/aio_take[7]/
{
	aio_count;
}

/* In syscall::io_submit:entry, the requests whose bytes are not or only partly counted. */
inline int64_t aio_left = self->aio_lost;

provider fsinfo {
	probe open(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe close(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:call:read(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:io_submit:read(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:io_uring:read(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:call:write(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:io_submit:write(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe file:io_uring:write(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe ioctl(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe readdir(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe fsync(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe getattr(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe setattr(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe readlink(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe mkdir(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe rmdir(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe remove(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe link(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe symlink(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe rename(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe create(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
	probe lookup(struct dentry *dp, int n) : (fileinfo_t *dp, int n);
};

site fsinfo:::open from fbt::vfs_open:return
/self->vfs_open != NULL/
{
	return (fs_of[self->vfs_open], 0);
}
else from syscall::openat:return, syscall::open:return, syscall::openat2:return,
    syscall::creat:return
/errno == 0/
{
	return (fs_of[getf((int)arg1)], 0);
}

site fsinfo:::close from fbt::__fput:entry
/vfs_has_path[args[0]]/
{
	return (fs_of[args[0]], 0);
}
else from syscall::close:entry
/vfs_has_path[getf((int)arg0)]/
{
	return (fs_of[getf((int)arg0)], 0);
}

site fsinfo:file:call:read from fbt::vfs_read:return, fbt::vfs_readv:return
/self->vfs_read != NULL/
{
	return (fs_of[self->vfs_read], fs_bytes[args[1]]);
}
and from syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_from != NULL/
{
	return (fs_of[self->vfs_from], fs_bytes[arg1]);
}
else from syscall::read:return, syscall::pread64:return, syscall::readv:return,
    syscall::preadv:return, syscall::preadv2:return,
    syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_from != NULL/
{
	return (fs_of[self->vfs_from], fs_bytes[arg1]);
}

site fsinfo:file:io_submit:read from syscall::io_submit:entry
/self->aio_read > 0/
{
	return (fs_of[self->aio_file], self->aio_read);
}

site fsinfo:file:io_uring:read from rawtp:::io_uring_complete
/arg1 != 0 && uring_is_read[uring_req->opcode] && vfs_has_path[uring_req->file]/
{
	return (fs_of[uring_req->file], fs_bytes[uring_req->cqe.res]);
}

site fsinfo:file:call:write from fbt::vfs_write:return, fbt::vfs_writev:return
/self->vfs_write != NULL/
{
	return (fs_of[self->vfs_write], fs_bytes[args[1]]);
}
and from syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_to != NULL/
{
	return (fs_of[self->vfs_to], fs_bytes[arg1]);
}
else from syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
    syscall::pwritev:return, syscall::pwritev2:return,
    syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_to != NULL/
{
	return (fs_of[self->vfs_to], fs_bytes[arg1]);
}

site fsinfo:file:io_submit:write from syscall::io_submit:entry
/self->aio_written > 0/
{
	return (fs_of[self->aio_file], self->aio_written);
}

site fsinfo:file:io_uring:write from rawtp:::io_uring_complete
/arg1 != 0 && uring_is_write[uring_req->opcode] && vfs_has_path[uring_req->file]/
{
	return (fs_of[uring_req->file], fs_bytes[uring_req->cqe.res]);
}

site fsinfo:::ioctl from syscall::ioctl:return
/self->vfs_ioctl != NULL/
{
	return (fs_of[self->vfs_ioctl], 0);
}

site fsinfo:::readdir from fbt::iterate_dir:return
/self->vfs_readdir != NULL/
{
	return (fs_of[self->vfs_readdir], 0);
}
else from syscall::getdents64:return, syscall::getdents:return
/self->vfs_file != NULL/
{
	return (fs_of[self->vfs_file], 0);
}

site fsinfo:::fsync from fbt::vfs_fsync_range:return
/self->vfs_fsync != NULL/
{
	return (fs_of[self->vfs_fsync], 0);
}
else from syscall::fsync:return, syscall::fdatasync:return
/self->vfs_file != NULL/
{
	return (fs_of[self->vfs_file], 0);
}

site fsinfo:::getattr from fbt::vfs_getattr_nosec:return
/self->vfs_getattr != NULL/
{
	return (fs_of_name[self->vfs_getattr], 0);
}
else from syscall::statx:return, syscall::stat:return, syscall::lstat:return,
    syscall::fstat:return, syscall::newfstatat:return
{
	return (fs_of_path, 0);
}

site fsinfo:::setattr from fbt::notify_change:return
/self->vfs_setattr != NULL/
{
	return (fs_of_name[self->vfs_setattr], 0);
}
else from syscall::fchmodat:return, syscall::chmod:return, syscall::fchmod:return,
    syscall::chown:return, syscall::lchown:return, syscall::fchown:return,
    syscall::fchownat:return, syscall::truncate:return, syscall::ftruncate:return,
    syscall::utimensat:return, syscall::fchmodat2:return, syscall::utime:return,
    syscall::utimes:return, syscall::futimesat:return
{
	return (fs_of_path, 0);
}

site fsinfo:::readlink from fbt::vfs_readlink:return
/self->vfs_readlink != NULL/
{
	return (fs_of_name[self->vfs_readlink], 0);
}
else from syscall::readlinkat:return, syscall::readlink:return
{
	return (fs_of_path, 0);
}

site fsinfo:::mkdir from fbt::vfs_mkdir:return
/self->vfs_mkdir != NULL/
{
	return (fs_of_name[self->vfs_mkdir], 0);
}
else from syscall::mkdirat:return, syscall::mkdir:return
{
	return (fs_of_path, 0);
}

site fsinfo:::rmdir from fbt::vfs_rmdir:return
/self->vfs_rmdir != NULL/
{
	return (fs_of_name[self->vfs_rmdir], 0);
}
else from syscall::unlinkat:return
/vfs_is_rmdir[self->vfs_unlinkat]/
{
	return (fs_of_path, 0);
}
and from syscall::rmdir:return
{
	return (fs_of_path, 0);
}

site fsinfo:::remove from fbt::vfs_unlink:return
/self->vfs_remove != NULL/
{
	return (fs_of_name[self->vfs_remove], 0);
}
else from syscall::unlinkat:return
/!vfs_is_rmdir[self->vfs_unlinkat]/
{
	return (fs_of_path, 0);
}
and from syscall::unlink:return
{
	return (fs_of_path, 0);
}

site fsinfo:::link from fbt::vfs_link:return
/self->vfs_link != NULL/
{
	return (fs_of_name[self->vfs_link], 0);
}
else from syscall::linkat:return, syscall::link:return
{
	return (fs_of_path, 0);
}

site fsinfo:::symlink from fbt::vfs_symlink:return
/self->vfs_symlink != NULL/
{
	return (fs_of_name[self->vfs_symlink], 0);
}
else from syscall::symlinkat:return, syscall::symlink:return
{
	return (fs_of_path, 0);
}

site fsinfo:::rename from fbt::vfs_rename:return
/self->vfs_rename != NULL/
{
	return (fs_of_name[self->vfs_rename->old_dentry], 0);
}
else from syscall::renameat2:return, syscall::rename:return, syscall::renameat:return
{
	return (fs_of_path, 0);
}

site fsinfo:::create from fbt::do_filp_open:return, fbt::vfs_create:return
/self->vfs_create != NULL/
{
	return (fs_of_name[self->vfs_create], 0);
}

/* The directory in which the name is looked up. */
site fsinfo:::lookup from fbt::lookup_fast:return
/args[1] == NULL || vfs_is[(uintptr_t)args[1]]/
{
	return (fs_of_name[args[1] != NULL ? args[1]->d_parent : self->vfs_walk->path.dentry], 0);
}
and from fbt::d_lookup:return
/!self->vfs_is_again/
{
	return (fs_of_name[self->vfs_dir], 0);
}
