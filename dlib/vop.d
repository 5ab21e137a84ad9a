/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vop.d: the operations of the vfs provider, on inodes and files.  Operations on names have the
 * directory and the name, others have their object.  If functions cannot be traced, a system call
 * stands for its operation.  It has a file by its descriptor, and NULL for the target of a path.
 */
#pragma D depends_on library kernel.d
#pragma D depends_on library io.d

/* Pipes, sockets and the like, which have no path, do not belong to a file system. */
inline int vfs_has_path[struct file *F] = F != NULL && io_has_path[F];
inline struct file *vfs_if_path[struct file *F] = vfs_has_path[F] ? F : NULL;

inline struct inode *vfs_inode_of[struct file *F] =
    vfs_has_path[F] ? F->f_inode : (struct inode *)NULL;
inline struct dentry *vfs_dentry_of[struct file *F] =
    vfs_has_path[F] ? F->f_path.dentry : (struct dentry *)NULL;

inline int vfs_errno[int64_t result] = result < 0 && result >= -4095 ? (int)-result : 0;

/* AT_REMOVEDIR of include/uapi/linux/fcntl.h */
inline int vfs_is_rmdir[int flags] = (flags & 0x200) != 0;

/* The file of a system call that neither reads nor writes, and whether unlinkat() removes a directory. */
self struct file *vfs_file;
self int vfs_unlinkat;

syscall::getdents64:entry, syscall::getdents:entry, syscall::fsync:entry,
syscall::fdatasync:entry, syscall::fstat:entry, syscall::fchmod:entry, syscall::fchown:entry,
syscall::ftruncate:entry
{
	self->vfs_file = vfs_if_path[getf((int)arg0)];
}

/*
 * The files that a call reads and writes.  Either file of a call that copies can be a pipe or a
 * socket, which has no path.
 */
self struct file *vfs_from;
self struct file *vfs_to;

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry
{
	self->vfs_from = vfs_if_path[getf((int)arg0)];
}

syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
{
	self->vfs_to = vfs_if_path[getf((int)arg0)];
}

syscall::copy_file_range:entry, syscall::splice:entry
{
	self->vfs_from = vfs_if_path[getf((int)arg0)];
	self->vfs_to = vfs_if_path[getf((int)arg2)];
}

syscall::sendfile:entry
{
	self->vfs_from = vfs_if_path[getf((int)arg1)];
	self->vfs_to = vfs_if_path[getf((int)arg0)];
}

syscall::unlinkat:entry
{
	self->vfs_unlinkat = (int)arg2;
}

self struct file *vfs_open;

fbt::vfs_open:entry
{
	self->vfs_open = args[1];
}

site vfs:vop:vop_open:entry from fbt::vfs_open:entry
{
	return (args[0]->dentry->d_inode, args[1]);
}
else from syscall::openat:entry, syscall::open:entry, syscall::openat2:entry,
    syscall::creat:entry
{
	return ((struct inode *)NULL, (struct file *)NULL);
}

site vfs:vop:vop_open:return from fbt::vfs_open:return
/self->vfs_open != NULL/
{
	return (self->vfs_open->f_inode, self->vfs_open, vfs_errno[args[1]]);
}
else from syscall::openat:return, syscall::open:return, syscall::openat2:return,
    syscall::creat:return
{
	return ((struct inode *)NULL, (struct file *)NULL, errno);
}

self struct inode *vfs_close;

fbt::__fput:entry
{
	self->vfs_close = vfs_has_path[args[0]] ? args[0]->f_inode : NULL;
}

syscall::close:entry
{
	self->vfs_close = vfs_has_path[getf((int)arg0)] ? getf((int)arg0)->f_inode : NULL;
}

site vfs:vop:vop_close:entry from fbt::__fput:entry
/vfs_has_path[args[0]]/
{
	return (args[0]->f_inode, args[0]);
}
else from syscall::close:entry
/vfs_has_path[getf((int)arg0)]/
{
	return (getf((int)arg0)->f_inode, getf((int)arg0));
}

/* The file is freed. */
site vfs:vop:vop_close:return from fbt::__fput:return
/self->vfs_close != NULL/
{
	return (self->vfs_close, (struct file *)NULL, 0);
}
else from syscall::close:return
/self->vfs_close != NULL/
{
	return (self->vfs_close, (struct file *)NULL, errno);
}

/* Copies move bytes without the functions of reads and writes. */
self struct file *vfs_read;

fbt::vfs_read:entry, fbt::vfs_readv:entry
{
	self->vfs_read = vfs_if_path[args[0]];
}

site vfs:vop:vop_read:entry from fbt::vfs_read:entry, fbt::vfs_readv:entry
/vfs_has_path[args[0]]/
{
	return (args[0]->f_inode, args[0]);
}
and from syscall::copy_file_range:entry, syscall::sendfile:entry, syscall::splice:entry
/self->vfs_from != NULL/
{
	return (self->vfs_from->f_inode, self->vfs_from);
}
else from syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
    syscall::preadv:entry, syscall::preadv2:entry, syscall::copy_file_range:entry,
    syscall::sendfile:entry, syscall::splice:entry
/self->vfs_from != NULL/
{
	return (self->vfs_from->f_inode, self->vfs_from);
}

site vfs:vop:vop_read:return from fbt::vfs_read:return, fbt::vfs_readv:return
/self->vfs_read != NULL/
{
	return (self->vfs_read->f_inode, self->vfs_read, vfs_errno[args[1]]);
}
and from syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_from != NULL/
{
	return (self->vfs_from->f_inode, self->vfs_from, errno);
}
else from syscall::read:return, syscall::pread64:return, syscall::readv:return,
    syscall::preadv:return, syscall::preadv2:return, syscall::copy_file_range:return,
    syscall::sendfile:return, syscall::splice:return
/self->vfs_from != NULL/
{
	return (self->vfs_from->f_inode, self->vfs_from, errno);
}

self struct file *vfs_write;

fbt::vfs_write:entry, fbt::vfs_writev:entry
{
	self->vfs_write = vfs_if_path[args[0]];
}

site vfs:vop:vop_write:entry from fbt::vfs_write:entry, fbt::vfs_writev:entry
/vfs_has_path[args[0]]/
{
	return (args[0]->f_inode, args[0]);
}
and from syscall::copy_file_range:entry, syscall::sendfile:entry, syscall::splice:entry
/self->vfs_to != NULL/
{
	return (self->vfs_to->f_inode, self->vfs_to);
}
else from syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
    syscall::pwritev:entry, syscall::pwritev2:entry, syscall::copy_file_range:entry,
    syscall::sendfile:entry, syscall::splice:entry
/self->vfs_to != NULL/
{
	return (self->vfs_to->f_inode, self->vfs_to);
}

site vfs:vop:vop_write:return from fbt::vfs_write:return, fbt::vfs_writev:return
/self->vfs_write != NULL/
{
	return (self->vfs_write->f_inode, self->vfs_write, vfs_errno[args[1]]);
}
and from syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_to != NULL/
{
	return (self->vfs_to->f_inode, self->vfs_to, errno);
}
else from syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
    syscall::pwritev:return, syscall::pwritev2:return,
    syscall::copy_file_range:return, syscall::sendfile:return, syscall::splice:return
/self->vfs_to != NULL/
{
	return (self->vfs_to->f_inode, self->vfs_to, errno);
}

/* Requests that the kernel itself handles for all files are seen only as system calls. */
self struct file *vfs_ioctl;

syscall::ioctl:entry
{
	self->vfs_ioctl = vfs_if_path[getf((int)arg0)];
}

site vfs:vop:vop_ioctl:entry from syscall::ioctl:entry
/vfs_has_path[getf((int)arg0)]/
{
	return (getf((int)arg0)->f_inode, getf((int)arg0));
}

site vfs:vop:vop_ioctl:return from syscall::ioctl:return
/self->vfs_ioctl != NULL/
{
	return (self->vfs_ioctl->f_inode, self->vfs_ioctl, errno);
}

self struct file *vfs_readdir;

fbt::iterate_dir:entry
{
	self->vfs_readdir = args[0];
}

site vfs:vop:vop_readdir:entry from fbt::iterate_dir:entry
{
	return (args[0]->f_inode, args[0]);
}
else from syscall::getdents64:entry, syscall::getdents:entry
/vfs_has_path[getf((int)arg0)]/
{
	return (getf((int)arg0)->f_inode, getf((int)arg0));
}

site vfs:vop:vop_readdir:return from fbt::iterate_dir:return
/self->vfs_readdir != NULL/
{
	return (self->vfs_readdir->f_inode, self->vfs_readdir, vfs_errno[args[1]]);
}
else from syscall::getdents64:return, syscall::getdents:return
/self->vfs_file != NULL/
{
	return (self->vfs_file->f_inode, self->vfs_file, errno);
}

self struct file *vfs_fsync;

fbt::vfs_fsync_range:entry
{
	self->vfs_fsync = args[0];
}

site vfs:vop:vop_fsync:entry from fbt::vfs_fsync_range:entry
{
	return (args[0]->f_inode, args[0]);
}
else from syscall::fsync:entry, syscall::fdatasync:entry
/vfs_has_path[getf((int)arg0)]/
{
	return (getf((int)arg0)->f_inode, getf((int)arg0));
}

site vfs:vop:vop_fsync:return from fbt::vfs_fsync_range:return
/self->vfs_fsync != NULL/
{
	return (self->vfs_fsync->f_inode, self->vfs_fsync, vfs_errno[args[1]]);
}
else from syscall::fsync:return, syscall::fdatasync:return
/self->vfs_file != NULL/
{
	return (self->vfs_file->f_inode, self->vfs_file, errno);
}

self struct dentry *vfs_getattr;

fbt::vfs_getattr_nosec:entry
{
	self->vfs_getattr = args[0]->dentry;
}

site vfs:vop:vop_getattr:entry from fbt::vfs_getattr_nosec:entry
{
	return (args[0]->dentry->d_inode, args[0]->dentry);
}
else from syscall::statx:entry, syscall::stat:entry, syscall::lstat:entry,
    syscall::newfstatat:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}
and from syscall::fstat:entry
{
	return (vfs_inode_of[getf((int)arg0)], vfs_dentry_of[getf((int)arg0)]);
}

site vfs:vop:vop_getattr:return from fbt::vfs_getattr_nosec:return
/self->vfs_getattr != NULL/
{
	return (self->vfs_getattr->d_inode, self->vfs_getattr, vfs_errno[args[1]]);
}
else from syscall::statx:return, syscall::stat:return, syscall::lstat:return,
    syscall::newfstatat:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}
and from syscall::fstat:return
{
	return (vfs_inode_of[self->vfs_file], vfs_dentry_of[self->vfs_file], errno);
}

self struct dentry *vfs_setattr;

fbt::notify_change:entry
{
	self->vfs_setattr = args[1];
}

site vfs:vop:vop_setattr:entry from fbt::notify_change:entry
{
	return (args[1]->d_inode, args[1]);
}
else from syscall::fchmodat:entry, syscall::chmod:entry, syscall::chown:entry,
    syscall::lchown:entry, syscall::fchownat:entry, syscall::truncate:entry,
    syscall::utimensat:entry, syscall::fchmodat2:entry, syscall::utime:entry,
    syscall::utimes:entry, syscall::futimesat:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}
and from syscall::fchmod:entry, syscall::fchown:entry, syscall::ftruncate:entry
{
	return (vfs_inode_of[getf((int)arg0)], vfs_dentry_of[getf((int)arg0)]);
}

site vfs:vop:vop_setattr:return from fbt::notify_change:return
/self->vfs_setattr != NULL/
{
	return (self->vfs_setattr->d_inode, self->vfs_setattr, vfs_errno[args[1]]);
}
else from syscall::fchmodat:return, syscall::chmod:return, syscall::chown:return,
    syscall::lchown:return, syscall::fchownat:return, syscall::truncate:return,
    syscall::utimensat:return, syscall::fchmodat2:return, syscall::utime:return,
    syscall::utimes:return, syscall::futimesat:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}
and from syscall::fchmod:return, syscall::fchown:return, syscall::ftruncate:return
{
	return (vfs_inode_of[self->vfs_file], vfs_dentry_of[self->vfs_file], errno);
}

self struct dentry *vfs_readlink;

fbt::vfs_readlink:entry
{
	self->vfs_readlink = args[0];
}

site vfs:vop:vop_readlink:entry from fbt::vfs_readlink:entry
{
	return (args[0]->d_inode, args[0]);
}
else from syscall::readlinkat:entry, syscall::readlink:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_readlink:return from fbt::vfs_readlink:return
/self->vfs_readlink != NULL/
{
	return (self->vfs_readlink->d_inode, self->vfs_readlink, vfs_errno[args[1]]);
}
else from syscall::readlinkat:return, syscall::readlink:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_mkdir;

fbt::vfs_mkdir:entry
{
	self->vfs_mkdir = args[2];
}

site vfs:vop:vop_mkdir:entry from fbt::vfs_mkdir:entry
{
	return (args[2]->d_parent->d_inode, args[2]);
}
else from syscall::mkdirat:entry, syscall::mkdir:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_mkdir:return from fbt::vfs_mkdir:return
/self->vfs_mkdir != NULL/
{
	return (self->vfs_mkdir->d_parent->d_inode, self->vfs_mkdir, vfs_errno[args[1]]);
}
else from syscall::mkdirat:return, syscall::mkdir:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_rmdir;

fbt::vfs_rmdir:entry
{
	self->vfs_rmdir = args[2];
}

site vfs:vop:vop_rmdir:entry from fbt::vfs_rmdir:entry
{
	return (args[2]->d_parent->d_inode, args[2]);
}
else from syscall::unlinkat:entry
/vfs_is_rmdir[(int)arg2]/
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}
and from syscall::rmdir:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_rmdir:return from fbt::vfs_rmdir:return
/self->vfs_rmdir != NULL/
{
	return (self->vfs_rmdir->d_parent->d_inode, self->vfs_rmdir, vfs_errno[args[1]]);
}
else from syscall::unlinkat:return
/vfs_is_rmdir[self->vfs_unlinkat]/
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}
and from syscall::rmdir:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_remove;

fbt::vfs_unlink:entry
{
	self->vfs_remove = args[2];
}

site vfs:vop:vop_remove:entry from fbt::vfs_unlink:entry
{
	return (args[2]->d_parent->d_inode, args[2]);
}
else from syscall::unlinkat:entry
/!vfs_is_rmdir[(int)arg2]/
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}
and from syscall::unlink:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_remove:return from fbt::vfs_unlink:return
/self->vfs_remove != NULL/
{
	return (self->vfs_remove->d_parent->d_inode, self->vfs_remove, vfs_errno[args[1]]);
}
else from syscall::unlinkat:return
/!vfs_is_rmdir[self->vfs_unlinkat]/
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}
and from syscall::unlink:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_link;

fbt::vfs_link:entry
{
	self->vfs_link = args[3];
}

site vfs:vop:vop_link:entry from fbt::vfs_link:entry
{
	return (args[3]->d_parent->d_inode, args[3]);
}
else from syscall::linkat:entry, syscall::link:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_link:return from fbt::vfs_link:return
/self->vfs_link != NULL/
{
	return (self->vfs_link->d_parent->d_inode, self->vfs_link, vfs_errno[args[1]]);
}
else from syscall::linkat:return, syscall::link:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_symlink;

fbt::vfs_symlink:entry
{
	self->vfs_symlink = args[2];
}

site vfs:vop:vop_symlink:entry from fbt::vfs_symlink:entry
{
	return (args[2]->d_parent->d_inode, args[2]);
}
else from syscall::symlinkat:entry, syscall::symlink:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_symlink:return from fbt::vfs_symlink:return
/self->vfs_symlink != NULL/
{
	return (self->vfs_symlink->d_parent->d_inode, self->vfs_symlink, vfs_errno[args[1]]);
}
else from syscall::symlinkat:return, syscall::symlink:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct dentry *vfs_mknod;

fbt::vfs_mknod:entry
{
	self->vfs_mknod = args[2];
}

site vfs:vop:vop_mknod:entry from fbt::vfs_mknod:entry
{
	return (args[2]->d_parent->d_inode, args[2]);
}
else from syscall::mknodat:entry, syscall::mknod:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_mknod:return from fbt::vfs_mknod:return
/self->vfs_mknod != NULL/
{
	return (self->vfs_mknod->d_parent->d_inode, self->vfs_mknod, vfs_errno[args[1]]);
}
else from syscall::mknodat:return, syscall::mknod:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

self struct renamedata *vfs_rename;

fbt::vfs_rename:entry
{
	self->vfs_rename = args[0];
}

site vfs:vop:vop_rename:entry from fbt::vfs_rename:entry
{
	return (args[0]->old_dir, args[0]->old_dentry);
}
else from syscall::renameat2:entry, syscall::rename:entry, syscall::renameat:entry
{
	return ((struct inode *)NULL, (struct dentry *)NULL);
}

site vfs:vop:vop_rename:return from fbt::vfs_rename:return
/self->vfs_rename != NULL/
{
	return (self->vfs_rename->old_dir, self->vfs_rename->old_dentry, vfs_errno[args[1]]);
}
else from syscall::renameat2:return, syscall::rename:return, syscall::renameat:return
{
	return ((struct inode *)NULL, (struct dentry *)NULL, errno);
}

/* Just before open() creates a file, it checks the permission.  The creation itself calls no
 * traceable function. */
self struct dentry *vfs_create;

fbt::security_inode_create:entry
{
	self->vfs_create = args[1];
}

/* Most calls create nothing. */
fbt::do_filp_open:entry
{
	self->vfs_create = NULL;
}

site vfs:vop:vop_create:entry from fbt::security_inode_create:entry
{
	return (args[0], args[1]);
}

site vfs:vop:vop_create:return from fbt::do_filp_open:return
/self->vfs_create != NULL/
{
	return (self->vfs_create->d_parent->d_inode, self->vfs_create,
	    vfs_errno[(int64_t)args[1]]);
}
and from fbt::vfs_create:return
/self->vfs_create != NULL/
{
	return (self->vfs_create->d_parent->d_inode, self->vfs_create, vfs_errno[args[1]]);
}

self struct inode *vfs_access;
self int vfs_access_mode;

fbt::security_inode_permission:entry
{
	self->vfs_access = args[0];
	self->vfs_access_mode = args[1];
}

site vfs:vop:vop_access:entry from fbt::security_inode_permission:entry
{
	return (args[0], args[1]);
}

site vfs:vop:vop_access:return from fbt::security_inode_permission:return
{
	return (self->vfs_access, self->vfs_access_mode, vfs_errno[args[1]]);
}

/* An inode is removed from memory. */
site vfs:vop:vop_reclaim:entry from fbt::evict:entry
{
	return (args[0]);
}
