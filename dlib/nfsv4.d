/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfsv4.d: the nfsv4 provider: requests of version 4 to the NFS server of this kernel, and the
 * operations in them (nfssrv.d).
 */
#pragma D depends_on library nfssrv.d

provider nfsv4 {
	probe null__start(struct svc_rqst *r) : (conninfo_t *r, nfsv4opinfo_t *r);
	probe null__done(struct svc_rqst *r) : (conninfo_t *r, nfsv4opinfo_t *r);
	probe compound__start(struct svc_rqst *r, struct nfsd4_compoundargs *a) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_compoundargs *a);
	probe compound__done(struct svc_rqst *r) : (conninfo_t *r, nfsv4opinfo_t *r);
	probe op__access__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__access__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__close__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__close__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__commit__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__commit__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__create__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__create__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__delegpurge__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__delegpurge__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__delegreturn__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__delegreturn__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__getattr__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__getattr__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__getfh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__getfh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__link__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__link__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lock__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lock__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lockt__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lockt__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__locku__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__locku__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lookup__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lookup__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lookupp__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__lookupp__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__nverify__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__nverify__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__openattr__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__openattr__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__confirm__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__confirm__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__downgrade__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__open__downgrade__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putfh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putfh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putpubfh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putpubfh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putrootfh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__putrootfh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__read__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, READ4args *op);
	probe op__read__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__readdir__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__readdir__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__readlink__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__readlink__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__remove__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__remove__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__rename__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__rename__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__renew__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__renew__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__restorefh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__restorefh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__savefh__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__savefh__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__secinfo__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__secinfo__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setattr__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setattr__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setclientid__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setclientid__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setclientid__confirm__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__setclientid__confirm__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__verify__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__verify__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__write__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, WRITE4args *op);
	probe op__write__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__release__lockowner__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__release__lockowner__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__exchange__id__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__exchange__id__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__create__session__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__create__session__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__destroy__session__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__destroy__session__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__free__stateid__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__free__stateid__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__sequence__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__sequence__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__destroy__clientid__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__destroy__clientid__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__reclaim__complete__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__reclaim__complete__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__allocate__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__allocate__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__copy__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__copy__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__deallocate__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__deallocate__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
	probe op__read__plus__start(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, READ4args *op);
	probe op__read__plus__done(struct svc_rqst *r, struct nfsd4_op *op) :
	    (conninfo_t *r, nfsv4opinfo_t *r, struct nfsd4_op *op);
};

site nfsv4:::null-start from rawtp:sunrpc::svc_process
/nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc] == nfs_kind[4, 0]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv4:::null-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[4, 0]]/
{
	return ((struct svc_rqst *)args[0]);
}

site nfsv4:::compound-start from rawtp:nfsd::nfsd_compound
{
	return ((struct svc_rqst *)args[0], (struct nfsd4_compoundargs *)args[0]->rq_argp);
}

site nfsv4:::compound-done from rawtp:sunrpc::svc_send
/nfs_is_done[args[0]->rq_xid, nfs_kind[4, 1]]/
{
	return ((struct svc_rqst *)args[0]);
}

/* The sites of -done come before the sites of -start, because an operation ends before the next
 * one starts. */

site nfsv4:::op-access-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 3/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-close-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 4/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-commit-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 5/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-create-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 6/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-delegpurge-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 7/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-delegreturn-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 8/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-getattr-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 9/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-getfh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 10/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-link-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 11/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-lock-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 12/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-lockt-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 13/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-locku-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 14/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-lookup-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 15/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-lookupp-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 16/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-nverify-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 17/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-open-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 18/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-openattr-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 19/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-open-confirm-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 20/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-open-downgrade-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 21/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-putfh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 22/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-putpubfh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 23/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-putrootfh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 24/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-read-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 25/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-readdir-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 26/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-readlink-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 27/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-remove-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 28/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-rename-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 29/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-renew-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 30/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-restorefh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 31/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-savefh-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 32/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-secinfo-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 33/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-setattr-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 34/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-setclientid-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 35/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-setclientid-confirm-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 36/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-verify-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 37/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-write-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 38/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-release-lockowner-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 39/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-exchange-id-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 42/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-create-session-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 43/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-destroy-session-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 44/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-free-stateid-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 45/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-sequence-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 53/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-destroy-clientid-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 57/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-reclaim-complete-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 58/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-allocate-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 59/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-copy-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 60/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-deallocate-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 62/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-read-plus-done from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[1] > 0 && self->nfs_compound->ops[args[1] - 1].opnum == 68/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1] - 1]);
}

site nfsv4:::op-access-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 3/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-close-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 4/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-commit-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 5/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-create-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 6/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-delegpurge-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 7/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-delegreturn-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 8/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-getattr-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 9/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-getfh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 10/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-link-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 11/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-lock-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 12/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-lockt-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 13/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-locku-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 14/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-lookup-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 15/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-lookupp-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 16/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-nverify-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 17/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-open-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 18/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-openattr-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 19/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-open-confirm-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 20/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-open-downgrade-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 21/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-putfh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 22/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-putpubfh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 23/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-putrootfh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 24/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-read-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 25/
{
	this->nfs_offset = self->nfs_compound->ops[args[1]].u.read.rd_offset;
	this->nfs_length = self->nfs_compound->ops[args[1]].u.read.rd_length;
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-readdir-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 26/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-readlink-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 27/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-remove-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 28/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-rename-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 29/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-renew-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 30/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-restorefh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 31/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-savefh-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 32/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-secinfo-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 33/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-setattr-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 34/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-setclientid-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 35/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-setclientid-confirm-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 36/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-verify-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 37/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-write-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 38/
{
	this->nfs_offset = self->nfs_compound->ops[args[1]].u.write.wr_offset;
	this->nfs_length = self->nfs_compound->ops[args[1]].u.write.wr_buflen;
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-release-lockowner-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 39/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-exchange-id-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 42/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-create-session-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 43/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-destroy-session-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 44/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-free-stateid-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 45/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-sequence-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 53/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-destroy-clientid-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 57/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-reclaim-complete-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 58/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-allocate-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 59/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-copy-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 60/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-deallocate-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 62/
{
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}

site nfsv4:::op-read-plus-start from rawtp:nfsd::nfsd_compound_status
/self->nfs_compound != NULL && args[2] == 0 && args[1] < args[0] &&
    self->nfs_compound->ops[args[1]].opnum == 68/
{
	this->nfs_offset = self->nfs_compound->ops[args[1]].u.read.rd_offset;
	this->nfs_length = self->nfs_compound->ops[args[1]].u.read.rd_length;
	return (self->nfs_rqst, &self->nfs_compound->ops[args[1]]);
}
