/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfssrv.d: the nfsv3 and nfsv4 providers: requests to the NFS server of this kernel.
 *
 * The modules sunrpc and nfsd must be loaded when tracing begins.  A thread of the server serves
 * one request at a time, so a request is kept in variables of the thread.
 *
 * A request of version 3 starts when its header has been read.  Reads and writes start later, when
 * the file is open, because only then path, offset and length are known.  A request is done when
 * its reply has been handed to the socket.  An operation of version 4 starts where the one before
 * ends.  No tracepoint shows where the first one starts, which is PUTFH or SEQUENCE: it has no
 * start probe.
 */
#pragma D depends_on library net.d
#pragma D depends_on library kernel.d

typedef struct nfsv3opinfo {
	uint64_t noi_xid;      /* number of the request */
	struct cred *noi_cred; /* the server's rights during the request */
	string noi_curpath;    /* path of the file; <unknown> until the server has looked it up */
} nfsv3opinfo_t;

typedef struct nfsv4opinfo {
	uint64_t noi_xid;      /* number of the request */
	struct cred *noi_cred; /* the server's rights during the request */
	string noi_curpath;    /* path of the current file; <unknown> until the server has looked it up */
} nfsv4opinfo_t;

typedef struct READ3args {
	uint64_t offset; /* position in the file */
	uint32_t count;  /* bytes that the client requests */
} READ3args;

struct nfs_data {
	uint32_t data_len; /* bytes */
};

typedef struct WRITE3args {
	uint64_t offset;      /* position in the file */
	uint32_t count;       /* bytes */
	struct nfs_data data; /* data_len: the same number */
} WRITE3args;

typedef struct READ4args {
	uint64_t offset; /* position in the file */
	uint32_t count;  /* bytes that the client requests */
} READ4args;

typedef struct WRITE4args {
	uint64_t offset;   /* position in the file */
	uint32_t data_len; /* bytes */
} WRITE4args;

/* The RPC program number of NFS, and numbers that identify an operation of a version. */
inline uint32_t NFS_PROGRAM = 100003;
inline int nfs_kind[int version, int proc] = version << 16 | proc;
inline int nfs_kind_of[uint32_t program, int version, int proc] =
    program == NFS_PROGRAM ? nfs_kind[version, proc] : 0;

/*
 * Without the modules their structures are unknown, but programs still compile: only clauses and
 * sites at the modules' tracepoints use the structures.
 */
self uint32_t nfs_xid;
self int nfs_what;
self uintptr_t nfs_local;
self uintptr_t nfs_remote;
self struct svc_rqst *nfs_rqst;
self struct nfsd4_compoundargs *nfs_compound;
self int nfs_has_path;
self string nfs_path;

rawtp:sunrpc::svc_process
{
	self->nfs_xid = args[0]->rq_xid;
	self->nfs_what = nfs_kind_of[args[0]->rq_prog, (int)args[0]->rq_vers, (int)args[0]->rq_proc];
	self->nfs_local = (uintptr_t)&args[0]->rq_xprt->xpt_local;
	self->nfs_remote = (uintptr_t)&args[0]->rq_xprt->xpt_remote;
	self->nfs_has_path = 0;
}

rawtp:nfsd::nfsd_compound
{
	self->nfs_rqst = (struct svc_rqst *)args[0];
	self->nfs_compound = (struct nfsd4_compoundargs *)args[0]->rq_argp;
}

rawtp:nfsd::nfsd_fh_verify
/args[1]->fh_dentry != NULL && args[1]->fh_export != NULL/
{
	self->nfs_path = dentry_path(args[1]->fh_export->ex_path.mnt, args[1]->fh_dentry);
	self->nfs_has_path = 1;
}

/* A request that is refused early has a reply, but no start. */
inline int nfs_is_done[uint32_t xid, int kind] = self->nfs_what == kind && self->nfs_xid == xid;

inline string nfs_curpath = self->nfs_has_path ? self->nfs_path : "<unknown>";

this uint64_t nfs_offset;
this uint32_t nfs_length;

/* In struct sockaddr_in the address follows the port, in struct sockaddr_in6 it follows one more
 * word. */
inline uint16_t nfs_family[uintptr_t A] = *(uint16_t *)A;
inline string nfs_address[uintptr_t A] =
    nfs_family[A] == AF_INET6 ? inet_ntoa6((in6_addr_t *)(A + 8)) :
    nfs_family[A] == AF_INET ? inet_ntoa((ipaddr_t *)(A + 4)) : "<unknown>";

translator conninfo_t < struct svc_rqst *R > {
	ci_local = nfs_address[self->nfs_local];
	ci_remote = nfs_address[self->nfs_remote];
	ci_protocol = nfs_family[self->nfs_local] == AF_INET6 ? "ipv6" :
	    nfs_family[self->nfs_local] == AF_INET ? "ipv4" : "<unknown>";
};

translator nfsv3opinfo_t < struct svc_rqst *R > {
	noi_xid = ntohl(self->nfs_xid);
	noi_cred = (struct cred *)curthread->cred;
	noi_curpath = nfs_curpath;
};

translator nfsv4opinfo_t < struct svc_rqst *R > {
	noi_xid = ntohl(self->nfs_xid);
	noi_cred = (struct cred *)curthread->cred;
	noi_curpath = nfs_curpath;
};

translator READ3args < struct svc_rqst *R > {
	offset = this->nfs_offset;
	count = this->nfs_length;
};

translator struct nfs_data < struct svc_rqst *R > {
	data_len = this->nfs_length;
};

translator WRITE3args < struct svc_rqst *R > {
	offset = this->nfs_offset;
	count = this->nfs_length;
	data = xlate <struct nfs_data> (R);
};

translator READ4args < struct nfsd4_op *O > {
	offset = this->nfs_offset;
	count = this->nfs_length;
};

translator WRITE4args < struct nfsd4_op *O > {
	offset = this->nfs_offset;
	data_len = this->nfs_length;
};
