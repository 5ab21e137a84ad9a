/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfs.d: the vfs provider: path lookups, the name cache (dcache), operations on inodes and files.
 * docs/vfs.md describes each probe.
 *
 * Directories are dentries, which have a name.  All sites are functions; where the kernel refuses
 * to trace them, lookups and operations are the system calls that request them.  System calls know
 * a file by its descriptor, but neither directory nor inode of a path.
 */
#pragma D depends_on library kernel.d
#pragma D depends_on library errno.d
#pragma D depends_on library vop.d

/* Neither NULL nor an error returned as a pointer. */
inline int vfs_is[uintptr_t p] = (int64_t)p < -4095;

inline int vfs_is_hashed[struct dentry *D] = D->d_hash.pprev != NULL;
inline char *vfs_name[struct dentry *D] = (char *)D->d_name.name;

provider vfs {
	probe namei:lookup:entry(struct dentry *dir, char *path, unsigned long flags);
	probe namei:lookup:return(int error, struct dentry *dp);
	probe namecache:lookup:hit(struct dentry *dir, char *name, struct inode *vp);
	probe namecache:lookup:hit__negative(struct dentry *dir, char *name);
	probe namecache:lookup:miss(struct dentry *dir, char *name);
	probe namecache:enter:done(struct dentry *dir, char *name, struct inode *vp);
	probe namecache:enter_negative:done(struct dentry *dir, char *name);
	probe namecache:purge:done(struct inode *vp, struct dentry *dir, char *name);
	probe namecache:purge_negative:done(struct inode *dvp, struct dentry *dir, char *name);
	probe namecache:zap:done(struct dentry *dir, char *name, struct inode *vp);
	probe namecache:zap_negative:done(struct dentry *dir, char *name);
	probe vop:vop_open:entry(struct inode *vp, struct file *fp);
	probe vop:vop_open:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_close:entry(struct inode *vp, struct file *fp);
	probe vop:vop_close:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_read:entry(struct inode *vp, struct file *fp);
	probe vop:vop_read:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_write:entry(struct inode *vp, struct file *fp);
	probe vop:vop_write:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_ioctl:entry(struct inode *vp, struct file *fp);
	probe vop:vop_ioctl:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_readdir:entry(struct inode *vp, struct file *fp);
	probe vop:vop_readdir:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_fsync:entry(struct inode *vp, struct file *fp);
	probe vop:vop_fsync:return(struct inode *vp, struct file *fp, int error);
	probe vop:vop_access:entry(struct inode *vp, int mode);
	probe vop:vop_access:return(struct inode *vp, int mode, int error);
	probe vop:vop_getattr:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_getattr:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_setattr:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_setattr:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_mkdir:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_mkdir:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_rmdir:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_rmdir:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_remove:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_remove:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_rename:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_rename:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_link:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_link:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_symlink:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_symlink:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_mknod:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_mknod:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_readlink:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_readlink:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_create:entry(struct inode *vp, struct dentry *dp);
	probe vop:vop_create:return(struct inode *vp, struct dentry *dp, int error);
	probe vop:vop_reclaim:entry(struct inode *vp);
};

/* ---- paths ---- */

/* The working directory, instead of a descriptor (include/uapi/linux/fcntl.h). */
inline int AT_FDCWD = -100;

inline struct dentry *vfs_at[int fd] = fd == AT_FDCWD ? curthread->fs->pwd.dentry :
    getf(fd) == NULL ? NULL : getf(fd)->f_path.dentry;

inline struct dentry *vfs_start[int fd, char *path] =
    *path == '/' ? curthread->fs->root.dentry : vfs_at[fd];

/* Calls that work only on a descriptor have an empty path. */
inline int vfs_is_text[uintptr_t path] = path != 0 && *(char *)copyin(path, 1) != 0;

self int vfs_has_text;

syscall::newfstatat:entry, syscall::statx:entry, syscall::execveat:entry
{
	self->vfs_has_text = vfs_is_text[arg1];
}

/*
 * Three functions begin a walk.  The last one can run again, if it could not do without locks.
 */
self struct path *vfs_found, *vfs_parent;
self int vfs_walks_again;

fbt::filename_lookup:entry
{
	self->vfs_found = args[3];
}

fbt::path_parentat:entry
{
	self->vfs_parent = args[2];
}

fbt::path_parentat:return
{
	self->vfs_walks_again = args[1] == -ECHILD;
}

site vfs:namei:lookup:entry from fbt::filename_lookup:entry
/vfs_is[(uintptr_t)args[1]]/
{
	return (vfs_start[args[0], (char *)args[1]->name], (char *)args[1]->name, args[2]);
}
and from fbt::do_filp_open:entry
{
	return (vfs_start[args[0], (char *)args[1]->name], (char *)args[1]->name,
	    args[2]->lookup_flags);
}
and from fbt::path_parentat:entry
/!self->vfs_walks_again/
{
	return (vfs_start[args[0]->dfd, (char *)args[0]->name->name], (char *)args[0]->name->name,
	    args[1]);
}
else from syscall::chdir:entry, syscall::creat:entry, syscall::open:entry,
    syscall::stat:entry, syscall::lstat:entry, syscall::access:entry,
    syscall::chmod:entry, syscall::chown:entry, syscall::lchown:entry,
    syscall::mkdir:entry, syscall::rmdir:entry, syscall::unlink:entry,
    syscall::readlink:entry, syscall::truncate:entry, syscall::mknod:entry,
    syscall::execve:entry, syscall::statfs:entry, syscall::chroot:entry,
    syscall::utime:entry, syscall::utimes:entry, syscall::link:entry,
    syscall::rename:entry, syscall::umount2:entry
{
	return ((struct dentry *)NULL, (char *)copyinstr(arg0), 0);
}
and from syscall::openat:entry, syscall::openat2:entry, syscall::faccessat:entry,
    syscall::faccessat2:entry, syscall::mkdirat:entry, syscall::unlinkat:entry,
    syscall::readlinkat:entry, syscall::fchmodat:entry, syscall::fchmodat2:entry,
    syscall::fchownat:entry, syscall::mknodat:entry, syscall::utimensat:entry,
    syscall::futimesat:entry, syscall::linkat:entry, syscall::renameat:entry,
    syscall::renameat2:entry
{
	return (vfs_at[(int)arg0], (char *)copyinstr(arg1), 0);
}
and from syscall::newfstatat:entry, syscall::statx:entry, syscall::execveat:entry
/vfs_is_text[arg1]/
{
	return (vfs_at[(int)arg0], (char *)copyinstr(arg1), 0);
}
and from syscall::rename:entry, syscall::link:entry
{
	return ((struct dentry *)NULL, (char *)copyinstr(arg1), 0);
}
and from syscall::linkat:entry, syscall::renameat:entry, syscall::renameat2:entry
{
	return (vfs_at[(int)arg2], (char *)copyinstr(arg3), 0);
}
and from syscall::symlink:entry
{
	return ((struct dentry *)NULL, (char *)copyinstr(arg1), 0);
}
and from syscall::symlinkat:entry
{
	return (vfs_at[(int)arg1], (char *)copyinstr(arg2), 0);
}

site vfs:namei:lookup:return from fbt::filename_lookup:return
/self->vfs_found != NULL/
{
	this->vfs_found = self->vfs_found;
	self->vfs_found = NULL;
	return (vfs_errno[args[1]], args[1] == 0 ? this->vfs_found->dentry : NULL);
}
and from fbt::do_filp_open:return
{
	return (vfs_errno[(int64_t)args[1]],
	    vfs_is[(uintptr_t)args[1]] ? args[1]->f_path.dentry : NULL);
}
and from fbt::path_parentat:return
/args[1] != -ECHILD/
{
	return (vfs_errno[args[1]], args[1] == 0 ? self->vfs_parent->dentry : NULL);
}
else from syscall::chdir:return, syscall::creat:return, syscall::open:return,
    syscall::stat:return, syscall::lstat:return, syscall::access:return,
    syscall::chmod:return, syscall::chown:return, syscall::lchown:return,
    syscall::mkdir:return, syscall::rmdir:return, syscall::unlink:return,
    syscall::readlink:return, syscall::truncate:return, syscall::mknod:return,
    syscall::execve:return, syscall::statfs:return, syscall::chroot:return,
    syscall::utime:return, syscall::utimes:return, syscall::link:return,
    syscall::rename:return, syscall::umount2:return, syscall::openat:return,
    syscall::openat2:return, syscall::faccessat:return,
    syscall::faccessat2:return, syscall::mkdirat:return, syscall::unlinkat:return,
    syscall::readlinkat:return, syscall::fchmodat:return,
    syscall::fchmodat2:return, syscall::fchownat:return, syscall::mknodat:return,
    syscall::utimensat:return, syscall::futimesat:return, syscall::linkat:return,
    syscall::renameat:return, syscall::renameat2:return,
    syscall::symlinkat:return, syscall::symlink:return
{
	return (errno, (struct dentry *)NULL);
}
and from syscall::linkat:return, syscall::renameat2:return, syscall::renameat:return,
    syscall::link:return, syscall::rename:return
{
	return (errno, (struct dentry *)NULL);
}
and from syscall::newfstatat:return, syscall::statx:return, syscall::execveat:return
/self->vfs_has_text/
{
	return (errno, (struct dentry *)NULL);
}

/* ---- the name cache ---- */

/*
 * lookup_fast() looks up a component of a path; d_lookup() looks up the last one of some calls.
 * open() uses both, and the second one is the same lookup.  The name is a part of a path.
 */
self struct nameidata *vfs_walk;
self struct dentry *vfs_dir;
self struct qstr *vfs_last;
self uintptr_t vfs_missed;
self int vfs_is_again;
this char *vfs_text;

fbt::lookup_fast:entry
{
	self->vfs_walk = args[0];
}

fbt::lookup_fast:return
{
	self->vfs_missed = args[1] == NULL || (vfs_is[(uintptr_t)args[1]] && args[1]->d_inode == NULL) ?
	    (uintptr_t)self->vfs_walk->last.name : 0;
}

/* Another walk; on 6.1 open() can begin with the second one. */
fbt::path_parentat:entry, fbt::do_filp_open:entry
{
	self->vfs_missed = 0;
}

fbt::d_lookup:entry
{
	self->vfs_dir = args[0];
	self->vfs_last = args[1];
	self->vfs_is_again = self->vfs_missed == (uintptr_t)args[1]->name;
	self->vfs_missed = 0;
}

site vfs:namecache:lookup:hit from fbt::lookup_fast:return
/vfs_is[(uintptr_t)args[1]] && args[1]->d_inode != NULL/
{
	return (args[1]->d_parent, vfs_name[args[1]], args[1]->d_inode);
}
and from fbt::d_lookup:return
/args[1] != NULL && args[1]->d_inode != NULL && !self->vfs_is_again/
{
	return (args[1]->d_parent, vfs_name[args[1]], args[1]->d_inode);
}

site vfs:namecache:lookup:hit-negative from fbt::lookup_fast:return
/vfs_is[(uintptr_t)args[1]] && args[1]->d_inode == NULL/
{
	return (args[1]->d_parent, vfs_name[args[1]]);
}
and from fbt::d_lookup:return
/args[1] != NULL && args[1]->d_inode == NULL && !self->vfs_is_again/
{
	return (args[1]->d_parent, vfs_name[args[1]]);
}

site vfs:namecache:lookup:miss from fbt::lookup_fast:return
/args[1] == NULL/
{
	this->vfs_text = (char *)alloca(256);
	bcopy(self->vfs_walk->last.name, this->vfs_text, self->vfs_walk->last.len & 0xff);
	return (self->vfs_walk->path.dentry, this->vfs_text);
}
and from fbt::d_lookup:return
/args[1] == NULL && !self->vfs_is_again/
{
	this->vfs_text = (char *)alloca(256);
	bcopy(self->vfs_last->name, this->vfs_text, self->vfs_last->len & 0xff);
	return (self->vfs_dir, this->vfs_text);
}

/* A dentry that is not hashed is a temporary file, or has no path. */
site vfs:namecache:enter:done from fbt::d_add:entry
/args[1] != NULL/
{
	return (args[0]->d_parent, vfs_name[args[0]], args[1]);
}
and from fbt::d_splice_alias:entry
/vfs_is[(uintptr_t)args[0]]/
{
	return (args[1]->d_parent, vfs_name[args[1]], args[0]);
}
and from fbt::__d_instantiate:entry
/args[1] != NULL && vfs_is_hashed[args[0]]/
{
	return (args[0]->d_parent, vfs_name[args[0]], args[1]);
}
and from fbt::d_move:entry
/args[0]->d_inode != NULL/
{
	return (args[1]->d_parent, vfs_name[args[1]], args[0]->d_inode);
}

/* A name without other users stays in the cache when its file is removed, as a negative entry. */
inline int vfs_stays[struct dentry *D] = D->d_inode != NULL && D->d_lockref.count == 1;

site vfs:namecache:enter_negative:done from fbt::d_add:entry
/args[1] == NULL/
{
	return (args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_splice_alias:entry
/args[0] == NULL/
{
	return (args[1]->d_parent, vfs_name[args[1]]);
}
and from fbt::d_delete:entry
/vfs_stays[args[0]]/
{
	return (args[0]->d_parent, vfs_name[args[0]]);
}

site vfs:namecache:purge:done from fbt::d_delete:entry
{
	return (args[0]->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_drop:entry
/args[0]->d_inode != NULL && vfs_is_hashed[args[0]]/
{
	return (args[0]->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_invalidate:entry
/args[0]->d_inode != NULL && vfs_is_hashed[args[0]]/
{
	return (args[0]->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_move:entry
/args[0]->d_inode != NULL/
{
	return (args[0]->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_move:entry
/args[1]->d_inode != NULL/
{
	return (args[1]->d_inode, args[1]->d_parent, vfs_name[args[1]]);
}

site vfs:namecache:purge_negative:done from fbt::d_drop:entry
/args[0]->d_inode == NULL && vfs_is_hashed[args[0]]/
{
	return (args[0]->d_parent->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_invalidate:entry
/args[0]->d_inode == NULL && vfs_is_hashed[args[0]]/
{
	return (args[0]->d_parent->d_inode, args[0]->d_parent, vfs_name[args[0]]);
}
and from fbt::d_move:entry
/args[1]->d_inode == NULL/
{
	return (args[1]->d_parent->d_inode, args[1]->d_parent, vfs_name[args[1]]);
}

/* Roots and files without a path are their own parents; a cursor in a directory is named "/". */
inline int vfs_is_named[struct dentry *D] = D->d_parent != D && *vfs_name[D] != '/';

site vfs:namecache:zap:done from fbt::__dentry_kill:entry
/args[0]->d_inode != NULL && vfs_is_named[args[0]]/
{
	return (args[0]->d_parent, vfs_name[args[0]], args[0]->d_inode);
}

site vfs:namecache:zap_negative:done from fbt::__dentry_kill:entry
/args[0]->d_inode == NULL && vfs_is_named[args[0]]/
{
	return (args[0]->d_parent, vfs_name[args[0]]);
}
