/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfsv3.d: the nfsv3 provider: requests of version 3 to the NFS server of this kernel (nfssrv.d).
 */
#pragma D depends_on library nfssrv.d

provider nfsv3 {
	probe op__null__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__null__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__getattr__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__getattr__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__setattr__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__setattr__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__lookup__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__lookup__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__access__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__access__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readlink__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readlink__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__read__start(struct svc_rqst *r) :
	    (conninfo_t *r, nfsv3opinfo_t *r, READ3args *r);
	probe op__read__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__write__start(struct svc_rqst *r) :
	    (conninfo_t *r, nfsv3opinfo_t *r, WRITE3args *r);
	probe op__write__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__create__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__create__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__mkdir__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__mkdir__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__symlink__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__symlink__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__mknod__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__mknod__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__remove__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__remove__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__rmdir__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__rmdir__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__rename__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__rename__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__link__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__link__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readdir__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readdir__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readdirplus__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__readdirplus__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__fsstat__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__fsstat__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__fsinfo__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__fsinfo__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__pathconf__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__pathconf__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__commit__start(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
	probe op__commit__done(struct svc_rqst *r) : (conninfo_t *r, nfsv3opinfo_t *r);
};

site nfsv3:::op-null-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 0]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-null-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 0]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-getattr-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 1]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-getattr-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 1]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-setattr-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 2]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-setattr-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 2]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-lookup-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 3]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-lookup-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 3]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-access-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 4]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-access-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 4]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readlink-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 5]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readlink-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 5]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-read-start from rawtp:nfsd::nfsd_read_splice, rawtp:nfsd::nfsd_read_vector
/self->nfs_what == nfs_kind[3, 6]/
{
	this->nfs_offset = args[2];
	this->nfs_length = args[3];
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-read-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 6]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-write-start from rawtp:nfsd::nfsd_write_opened
/self->nfs_what == nfs_kind[3, 7]/
{
	this->nfs_offset = args[2];
	this->nfs_length = args[3];
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-write-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 7]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-create-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 8]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-create-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 8]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-mkdir-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 9]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-mkdir-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 9]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-symlink-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 10]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-symlink-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 10]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-mknod-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 11]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-mknod-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 11]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-remove-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 12]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-remove-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 12]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-rmdir-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 13]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-rmdir-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 13]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-rename-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 14]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-rename-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 14]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-link-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 15]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-link-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 15]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readdir-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 16]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readdir-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 16]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readdirplus-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 17]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-readdirplus-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 17]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-fsstat-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 18]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-fsstat-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 18]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-fsinfo-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 19]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-fsinfo-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 19]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-pathconf-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 20]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-pathconf-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 20]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-commit-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[3, 21]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv3:::op-commit-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[3, 21]]/
{
	return ((struct svc_rqst *)args[0]);
}
