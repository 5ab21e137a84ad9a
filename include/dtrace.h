/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace.h: the interface of libdtrace, for programs that trace by D.  libdtrace(3) tells what the
 * functions do, docs/library.md shows a program.
 *
 * Names, prototypes and layouts are those that programs for libdtrace have always used.  All
 * functions that return int return 0, or -1 and say why by dtrace_errno(), unless it is told
 * otherwise.  A handle is used by one thread at a time; several handles do not know of each other.
 */
#ifndef _DTRACE_H
#define _DTRACE_H

#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define DTRACE_VERSION 3

/* The version of the language, as of dtrace -V: "Sun D 1.14". */
extern const char _dtrace_version[];

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
struct ps_prochandle;

/* What other systems have in their headers. */
#ifndef DTRACE_NO_BOOLEAN
typedef enum { B_FALSE = 0, B_TRUE = 1 } boolean_t;
#endif
typedef unsigned int uint_t;
typedef int processorid_t;
typedef Elf64_Sym GElf_Sym;

typedef uint16_t dtrace_actkind_t;
typedef uint32_t dtrace_aggid_t;
typedef uint32_t dtrace_epid_t;
typedef uint32_t dtrace_id_t;
typedef int64_t dtrace_aggvarid_t;
typedef int64_t dtrace_optval_t;

/* ---- the handle ---- */

/* Flags of dtrace_open(). */
#define DTRACE_O_NODEV 0x01 /* nothing is going to be traced: no privileges are needed */
#define DTRACE_O_NOSYS 0x02 /* implies the same here */
#define DTRACE_O_LP64  0x04 /* the data model of D programs: 64 bits, the default */
#define DTRACE_O_ILP32 0x08 /* or 32 */

/* NULL: *errp is for dtrace_errmsg(NULL, *errp).  Nothing is printed. */
dtrace_hdl_t *dtrace_open(int version, int flags, int *errp);

/* Stops tracing and gives everything back; processes that dtrace_proc_create() made are killed. */
void dtrace_close(dtrace_hdl_t *dtp);

/* Numbers above the system's own.  The text is valid until the next call with the handle. */
enum {
	EDT_BASE = 1000,
	EDT_VERSION = EDT_BASE, /* the version that was asked for is not this one */
	EDT_PRIVILEGES,		/* nothing can be traced without more privileges */
	EDT_COMPILER,		/* the program has errors: the text tells them */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_ACTIVE,	 /* not while tracing is active */
	EDT_NOTACTIVE,	 /* only while it is */
	EDT_DESTRUCTIVE, /* destructive actions are not allowed */
	EDT_ENABLING,	 /* the programs could not be enabled: the text tells why */
	EDT_NOPROBE,	 /* no probe matches the description */
	EDT_UNSTABLE,	 /* more than one does */
	EDT_BADSPEC,	 /* the description is none */
	EDT_NOSYM,
	EDT_NOSYMADDR,
	EDT_NOTYPE,
	EDT_NOBUFFERED, /* no file was given, and there is no handler of buffered output */
	EDT_DIRABORT,	/* a function of the consumer asked to abort */
	EDT_ERRABORT,	/* a run-time error, and no handler wanted to go on */
	EDT_DROPABORT,	/* data was lost, and no handler wanted to go on */
	EDT_PROC,	/* the process: the text tells what */
	EDT_WRITE,	/* output could not be written: the text tells why */
	EDT_LINK,	/* the object could not be made: the text tells why */
	EDT_NOMOD,
	EDT_BADRVAL, /* a function of the consumer returned an invalid value */
	EDT_NOMEM    /* no memory is left: the handle can only be closed */
};

int dtrace_errno(dtrace_hdl_t *dtp);
const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error);

/* Options, as of dtrace(1) -x; value may be NULL. */
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)
int dtrace_setopt(dtrace_hdl_t *dtp, const char *opt, const char *val);
/* Sizes in bytes, rates in nanoseconds, flags as 0 and 1, of words their number from 0. */
int dtrace_getopt(dtrace_hdl_t *dtp, const char *opt, dtrace_optval_t *val);

/* ---- descriptions of probes ---- */

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN  64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN	   64
#define DTRACE_FULLNAMELEN \
	(DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

/* Longer names are cut. */
typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* ---- programs ---- */

/* What the text of a program begins with. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

/* Flags of compilation; those that are not here have no meaning any more and are ignored. */
#define DTRACE_C_DIFV	0x0001 /* print the code to standard error */
#define DTRACE_C_EMPTY	0x0002 /* an empty program is none */
#define DTRACE_C_ZDEFS	0x0004 /* descriptions may match nothing */
#define DTRACE_C_CPP	0x0010 /* run the C preprocessor first */
#define DTRACE_C_KNODEF 0x0020
#define DTRACE_C_UNODEF 0x0040
#define DTRACE_C_PSPEC	0x0080
#define DTRACE_C_ETAGS	0x0100 /* errors have tags */
#define DTRACE_C_ARGREF 0x0200 /* operands need not be used */
#define DTRACE_C_DEFARG 0x0800 /* operands that are not there are 0 */
#define DTRACE_C_NOLIBS 0x1000
#define DTRACE_C_CTL	0x2000

/* Names, their data, and on what they depend: how stable, from 0 (Internal) to 7 (Standard). */
typedef struct dtrace_attribute {
	uint8_t dtat_name, dtat_data, dtat_class;
} dtrace_attribute_t;

#define DTRACE_STABILITY_INTERNAL 0
#define DTRACE_STABILITY_PRIVATE  1
#define DTRACE_STABILITY_OBSOLETE 2
#define DTRACE_STABILITY_EXTERNAL 3
#define DTRACE_STABILITY_UNSTABLE 4
#define DTRACE_STABILITY_EVOLVING 5
#define DTRACE_STABILITY_STABLE	  6
#define DTRACE_STABILITY_STANDARD 7
#define DTRACE_STABILITY_MAX	  7

#define DTRACE_CLASS_UNKNOWN  0
#define DTRACE_CLASS_CPU      1
#define DTRACE_CLASS_PLATFORM 2
#define DTRACE_CLASS_GROUP    3
#define DTRACE_CLASS_ISA      4
#define DTRACE_CLASS_COMMON   5
#define DTRACE_CLASS_MAX      5

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* of the descriptions */
	dtrace_attribute_t dpi_stmtattr; /* of the statements */
	unsigned int dpi_aggregates;	 /* statements that aggregate */
	unsigned int dpi_recgens;	 /* values that they record, with keys of aggregations */
	unsigned int dpi_matches;	 /* probes, once for each clause */
	unsigned int dpi_speculations;	 /* clauses that speculate */
} dtrace_proginfo_t;

/* The program belongs to the handle.  argv[0] is $0, the others $1 and so on. */
dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *s, dtrace_probespec_t spec,
					 unsigned int cflags, int argc, char *const argv[]);
dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *fp, unsigned int cflags, int argc,
				       char *const argv[]);

/* It will be traced from dtrace_go() on; info may be NULL. */
int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_proginfo_t *info);
void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_proginfo_t *info);

/*
 * A clause of a program, as it is for one description; it is valid as long as the handle.  There
 * is nothing of its code in it.
 */
typedef struct dtrace_ecbdesc {
	dtrace_probedesc_t dted_probe; /* as written: what is empty matches all */
} dtrace_ecbdesc_t;

typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	dtrace_attribute_t dtsd_descattr; /* of the description */
	dtrace_attribute_t dtsd_stmtattr; /* of the statements */
} dtrace_stmtdesc_t;

/* In order, until one call returns something else than 0, which is returned. */
typedef int dtrace_stmt_f(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_stmtdesc_t *sdp, void *arg);
int dtrace_stmt_iter(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_stmt_f *func, void *arg);

/* Of the providers that compiled programs declare: the C header, called fname, as of -h ... */
int dtrace_program_header(dtrace_hdl_t *dtp, FILE *out, const char *fname);
/* ... and the object of a program with probes of its own, as of -G. */
int dtrace_program_link(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, unsigned int dflags,
			const char *file, int objc, char *const objv[]);

/* ---- tracing ---- */

#define DTRACE_STATUS_NONE    0 /* not yet active */
#define DTRACE_STATUS_OKAY    1
#define DTRACE_STATUS_EXITED  2 /* by exit() */
#define DTRACE_STATUS_FILLED  3 /* a buffer of policy fill is full */
#define DTRACE_STATUS_STOPPED 4 /* by dtrace_stop() */

typedef enum {
	DTRACE_WORKSTATUS_ERROR = -1,
	DTRACE_WORKSTATUS_OKAY,
	DTRACE_WORKSTATUS_DONE /* all is consumed, END's too */
} dtrace_workstatus_t;

int dtrace_go(dtrace_hdl_t *dtp);
int dtrace_stop(dtrace_hdl_t *dtp);
void dtrace_sleep(dtrace_hdl_t *dtp); /* until there is something to do */
int dtrace_status(dtrace_hdl_t *dtp); /* DTRACE_STATUS_*, or -1 */

/* ---- records ---- */

#define DTRACEACT_NONE		   0
#define DTRACEACT_DIFEXPR	   1 /* the value of an expression */
#define DTRACEACT_EXIT		   2
#define DTRACEACT_PRINTF	   3
#define DTRACEACT_PRINTA	   4
#define DTRACEACT_LIBACT	   5 /* what is done here only: clear(), trunc() ... */
#define DTRACEACT_TRACEMEM	   6
#define DTRACEACT_TRACEMEM_DYNSIZE 7
#define DTRACEACT_PROC		   0x0100
#define DTRACEACT_USTACK	   (DTRACEACT_PROC + 1)
#define DTRACEACT_JSTACK	   (DTRACEACT_PROC + 2)
#define DTRACEACT_USYM		   (DTRACEACT_PROC + 3)
#define DTRACEACT_UMOD		   (DTRACEACT_PROC + 4)
#define DTRACEACT_UADDR		   (DTRACEACT_PROC + 5)
#define DTRACEACT_PROC_DESTRUCTIVE 0x0200
#define DTRACEACT_STOP		   (DTRACEACT_PROC_DESTRUCTIVE + 1)
#define DTRACEACT_RAISE		   (DTRACEACT_PROC_DESTRUCTIVE + 2)
#define DTRACEACT_SYSTEM	   (DTRACEACT_PROC_DESTRUCTIVE + 3)
#define DTRACEACT_FREOPEN	   (DTRACEACT_PROC_DESTRUCTIVE + 4)
#define DTRACEACT_KERNEL	   0x0400
#define DTRACEACT_STACK		   (DTRACEACT_KERNEL + 1)
#define DTRACEACT_SYM		   (DTRACEACT_KERNEL + 2)
#define DTRACEACT_MOD		   (DTRACEACT_KERNEL + 3)
#define DTRACEACT_SPECULATIVE	   0x0600
#define DTRACEACT_SPECULATE	   (DTRACEACT_SPECULATIVE + 1)
#define DTRACEACT_COMMIT	   (DTRACEACT_SPECULATIVE + 2)
#define DTRACEACT_DISCARD	   (DTRACEACT_SPECULATIVE + 3)
#define DTRACEACT_AGGREGATION	   0x0700
#define DTRACEACT_CLASS(x)	   ((x)&0xff00)
#define DTRACEACT_ISAGG(x)	   (DTRACEACT_CLASS(x) == DTRACEACT_AGGREGATION)

#define DTRACEAGG_COUNT	     (DTRACEACT_AGGREGATION + 1)
#define DTRACEAGG_MIN	     (DTRACEACT_AGGREGATION + 2)
#define DTRACEAGG_MAX	     (DTRACEACT_AGGREGATION + 3)
#define DTRACEAGG_AVG	     (DTRACEACT_AGGREGATION + 4)
#define DTRACEAGG_SUM	     (DTRACEACT_AGGREGATION + 5)
#define DTRACEAGG_STDDEV     (DTRACEACT_AGGREGATION + 6)
#define DTRACEAGG_QUANTIZE   (DTRACEACT_AGGREGATION + 7)
#define DTRACEAGG_LQUANTIZE  (DTRACEACT_AGGREGATION + 8)
#define DTRACEAGG_LLQUANTIZE (DTRACEACT_AGGREGATION + 9)

/* Kernel stacks are as many 8-byte addresses as dtrd_arg says, up to one that is 0; in front of
 * those of processes, and of an address in one, is its id in 8 bytes. */
typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;   /* bytes, 0: there is no data */
	uint32_t dtrd_offset; /* from the start of the record, or of the aggregation's data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* for dtrace_format_lookup(); 0: it has no format */
	uint64_t dtrd_arg;    /* of stacks: how many frames */
	uint64_t dtrd_uarg;   /* number of the action in its clause, from 0 */
} dtrace_recdesc_t;

/* An enabled probe: a clause at a probe. */
typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg;
	uint32_t dtepd_size; /* of a record */
	int dtepd_nrecs;
	dtrace_recdesc_t dtepd_rec[1]; /* so many of them */
} dtrace_eprobedesc_t;

typedef enum { DTRACEFLOW_ENTRY, DTRACEFLOW_RETURN, DTRACEFLOW_NONE } dtrace_flowkind_t;

/* What consuming functions are told; all of it is valid during the call only. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	processorid_t dtpda_cpu;
	char *dtpda_data;	      /* the record, or what is at hand of it */
	dtrace_flowkind_t dtpda_flow; /* the rest is of option flowindent */
	const char *dtpda_prefix;
	int dtpda_indent;
} dtrace_probedata_t;

#define DTRACE_CONSUME_ERROR (-1) /* dtrace_work() fails */
#define DTRACE_CONSUME_THIS  0	  /* go on with it: print it, that is */
#define DTRACE_CONSUME_NEXT  1	  /* do nothing with it */
#define DTRACE_CONSUME_ABORT 2	  /* dtrace_work() fails with EDT_DIRABORT */

/* Called for each record; and for each action of it, then with rec NULL. */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
				 void *arg);

/*
 * One round: what there is is consumed and printed to fp, or, if that is NULL, given to the handler
 * of buffered output.  Without pf all records are wanted, without rf nothing is printed.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
				dtrace_consume_rec_f *rf, void *arg);
/* Only the records of it. */
int dtrace_consume(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
		   dtrace_consume_rec_f *rf, void *arg);

/* ---- formats ---- */

/* The format of an action, or one of printf() or printa(); NULL: there is none, or it is wrong.
 * They are valid as long as the handle. */
void *dtrace_format_lookup(dtrace_hdl_t *dtp, int fmtid);
void *dtrace_printf_create(dtrace_hdl_t *dtp, const char *s);
void *dtrace_printa_create(dtrace_hdl_t *dtp, const char *s);

/* Its text, at most len bytes of it with the NUL; what the whole has, without. */
size_t dtrace_printf_format(dtrace_hdl_t *dtp, void *fmtdata, char *s, size_t len);

/* ---- handlers ---- */

#define DTRACE_HANDLE_ABORT (-1)
#define DTRACE_HANDLE_OK    0

#define DTRACEFLT_UNKNOWN   0
#define DTRACEFLT_BADADDR   1
#define DTRACEFLT_BADALIGN  2
#define DTRACEFLT_ILLOP	    3
#define DTRACEFLT_DIVZERO   4
#define DTRACEFLT_NOSCRATCH 5
#define DTRACEFLT_KPRIV	    6
#define DTRACEFLT_UPRIV	    7
#define DTRACEFLT_TUPOFLOW  8
#define DTRACEFLT_BADSTACK  9
#define DTRACEFLT_LIBRARY   1000 /* found by the library, not by the kernel */

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc;
	dtrace_probedesc_t *dteda_pdesc;
	processorid_t dteda_cpu;
	int dteda_action; /* from 1; 0: the predicate */
	int dteda_offset; /* -1: not known */
	int dteda_fault;
	uint64_t dteda_addr;
	const char *dteda_msg; /* ends with a newline */
} dtrace_errdata_t;

typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *func, void *arg);

typedef enum {
	DTRACEDROP_PRINCIPAL,
	DTRACEDROP_AGGREGATION,
	DTRACEDROP_DYNAMIC,
	DTRACEDROP_DYNRINSE,
	DTRACEDROP_DYNDIRTY,
	DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY,
	DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW,
	DTRACEDROP_DBLERROR,
	DTRACEDROP_RETURNS /* see option uretprobe in dtrace(1) */
} dtrace_dropkind_t;

#define DTRACE_CPUALL (-1)

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	processorid_t dtdda_cpu; /* DTRACE_CPUALL: not of a single one */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;  /* since the last time */
	uint64_t dtdda_total;  /* since tracing began */
	const char *dtdda_msg; /* ends with a newline */
} dtrace_dropdata_t;

typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *func, void *arg);

/* Called when a process has ended. */
typedef void dtrace_handle_proc_f(struct ps_prochandle *P, const char *msg, void *arg);
int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *func, void *arg);

typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	dtrace_optval_t dtsda_oldval, dtsda_newval; /* as of dtrace_getopt() */
} dtrace_setoptdata_t;

/* Called when setopt() has set an option. */
typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *data, void *arg);
int dtrace_handle_setopt(dtrace_hdl_t *dtp, dtrace_handle_setopt_f *func, void *arg);

/* ---- aggregations ---- */

#define DTRACE_QUANTIZE_NBUCKETS   127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
#define DTRACE_QUANTIZE_BUCKETVAL(b)                                                       \
	((int64_t)((b) < DTRACE_QUANTIZE_ZEROBUCKET                                        \
		       ? -(int64_t)((uint64_t)1 << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (b))) \
		   : (b) == DTRACE_QUANTIZE_ZEROBUCKET                                     \
		       ? 0                                                                 \
		       : (int64_t)((uint64_t)1 << ((b)-DTRACE_QUANTIZE_ZEROBUCKET - 1))))

/* The first word of a value of lquantize() and llquantize(); buckets follow. */
#define DTRACE_LQUANTIZE_STEP(x)   ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LQUANTIZE_LEVELS(x) ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LQUANTIZE_BASE(x)   ((int32_t)(x))

#define DTRACE_LLQUANTIZE_FACTOR(x) ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LLQUANTIZE_LOW(x)    ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LLQUANTIZE_HIGH(x)   ((uint16_t)((uint64_t)(x) >> 16))
#define DTRACE_LLQUANTIZE_NSTEP(x)  ((uint16_t)(x))
#define DTRACE_LLQUANTIZE_LMAG(x)   DTRACE_LLQUANTIZE_LOW(x)
#define DTRACE_LLQUANTIZE_HMAG(x)   DTRACE_LLQUANTIZE_HIGH(x)
#define DTRACE_LLQUANTIZE_STEPS(x)  DTRACE_LLQUANTIZE_NSTEP(x)

#define DTRACE_AGGVARIDNONE 0

/* dtagd_rec[0] is the number of the aggregation, keys follow, the value is the last. */
typedef struct dtrace_aggdesc {
	char *dtagd_name; /* without the @ */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid;
	uint32_t dtagd_size;
	int dtagd_nrecs;
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* so many of them */
} dtrace_aggdesc_t;

/*
 * A row: count, sum, min, max are an int64_t; avg is a count and a sum; stddev these and the sum of
 * squares in 128 bits, the low word first; quantize, lquantize, llquantize as above.
 */
typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t *dtada_edesc; /* of many probes the first one; it tells no records */
	dtrace_probedesc_t *dtada_pdesc;
	char *dtada_data;
	uint64_t dtada_normal; /* what normalize() divides by, 1 */
	size_t dtada_size;
	char *dtada_delta;	   /* NULL */
	char **dtada_percpu;	   /* with option aggpercpu: values of each CPU, else NULL */
	char **dtada_percpu_delta; /* NULL */
} dtrace_aggdata_t;

/* What becomes of the row. */
#define DTRACE_AGGWALK_ERROR	   (-1) /* the walk fails */
#define DTRACE_AGGWALK_NEXT	   0
#define DTRACE_AGGWALK_ABORT	   1 /* the walk fails with EDT_DIRABORT */
#define DTRACE_AGGWALK_CLEAR	   2 /* its value is that of no data */
#define DTRACE_AGGWALK_NORMALIZE   3 /* divide by dtada_normal, which was changed */
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE	   5

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *dtp, dtrace_aggregate_f *func, void *arg);
typedef int dtrace_aggregate_walk_joined_f(const dtrace_aggdata_t **data, const int n, void *arg);

int dtrace_aggregate_snap(dtrace_hdl_t *dtp); /* take in what was counted since */
void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

/* What was never printed; func: in the order that it walks in, NULL: as dtrace(1) does. */
int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, dtrace_aggregate_walk_f *func);

/* All rows, in the order of aggregations and their keys, or values; var: these come first; rev: the
 * other way round. */
dtrace_aggregate_walk_f dtrace_aggregate_walk;
dtrace_aggregate_walk_f dtrace_aggregate_walk_sorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_keysorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_valsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_keyvarsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_valvarsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_keyrevsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_valrevsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_keyvarrevsorted;
dtrace_aggregate_walk_f dtrace_aggregate_walk_valvarrevsorted;

/* For each key of the first aggregation the rows of all: data[1] to data[n], NULL where one has no
 * such key; data[0] has the key. */
int dtrace_aggregate_walk_joined(dtrace_hdl_t *dtp, dtrace_aggvarid_t *vars, int nvars,
				 dtrace_aggregate_walk_joined_f *func, void *arg);

#define DTRACE_BUFDATA_AGGKEY	 0x0001 /* the text is that of a key */
#define DTRACE_BUFDATA_AGGVAL	 0x0002 /* of a value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* by a format of printa() */
#define DTRACE_BUFDATA_AGGLAST	 0x0008 /* what ends a row */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;
	dtrace_probedata_t *dtbda_probe;       /* NULL: an aggregation is printed at the end */
	const dtrace_recdesc_t *dtbda_recdesc; /* NULL: it is of no action */
	const dtrace_aggdata_t *dtbda_aggdata; /* NULL: it is no row */
	uint32_t dtbda_flags;
} dtrace_bufdata_t;

typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);
int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *func, void *arg);

/* ---- probes ---- */

typedef struct dtrace_probeinfo {
	dtrace_attribute_t dtp_attr;		/* of the probe */
	dtrace_attribute_t dtp_arga;		/* of its arguments */
	const struct dtrace_typeinfo *dtp_argv; /* their types */
	int dtp_argc;
} dtrace_probeinfo_t;

/* Those that match, NULL: all, until one call returns something else than 0, which is returned. */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, void *arg);
int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, dtrace_probe_f *func,
		      void *arg);
int dtrace_probe_info(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, dtrace_probeinfo_t *pip);
int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *pdp);
/* "provider:module:function:name", of which the last is what spec says. */
int dtrace_str2desc(dtrace_hdl_t *dtp, dtrace_probespec_t spec, const char *s,
		    dtrace_probedesc_t *pdp);
char *dtrace_desc2str(const dtrace_probedesc_t *pdp, char *buf, size_t len);

/* ---- addresses and types ---- */

typedef struct dtrace_syminfo {
	const char *dts_object; /* module of the kernel */
	const char *dts_name;
	unsigned long dts_id; /* 0 */
} dtrace_syminfo_t;

/* The strings are valid until the next such call with the handle; symp and sip may be NULL. */
int dtrace_lookup_by_addr(dtrace_hdl_t *dtp, uint64_t addr, GElf_Sym *symp, dtrace_syminfo_t *sip);
int dtrace_lookup_by_name(dtrace_hdl_t *dtp, const char *object, const char *name, GElf_Sym *symp,
			  dtrace_syminfo_t *sip);

/* "vmlinux`vfs_read+0x10", at most n bytes of it with the NUL; what the whole has, without. */
int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t addr, char *buf, int n);
int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t addr, char *buf, int n);

#define DTRACE_OBJ_KMODS ((const char *)-3L)

#define DTRACE_OBJ_EVERY ((const char *)-1L)

#define DTRACE_OBJ_F_KERNEL  0x1 /* it is the kernel's */
#define DTRACE_OBJ_F_PRIMARY 0x2 /* it is the kernel itself */

/* The kernel, or one of its modules.  What is not known is 0. */
typedef struct dtrace_objinfo {
	const char *dto_name; /* valid as long as the handle */
	const char *dto_file; /* what has its types, "": nothing */
	int dto_id;
	unsigned int dto_flags;
	Elf64_Addr dto_text_va; /* its code; of a module the size is that of all it has */
	Elf64_Xword dto_text_size;
	Elf64_Addr dto_data_va;
	Elf64_Xword dto_data_size;
	Elf64_Addr dto_bss_va;
	Elf64_Xword dto_bss_size;
} dtrace_objinfo_t;

/* The kernel and then its modules, until one call returns something else than 0, which is
 * returned. */
typedef int dtrace_obj_f(dtrace_hdl_t *dtp, const dtrace_objinfo_t *dto, void *arg);
int dtrace_object_iter(dtrace_hdl_t *dtp, dtrace_obj_f *func, void *arg);
int dtrace_object_info(dtrace_hdl_t *dtp, const char *object, dtrace_objinfo_t *dto);

typedef struct ctf_file dtrace_ctf_t;

/* Types of this kernel are in BTF, so there is no CTF container. */
typedef struct dtrace_typeinfo {
	const char *dtt_object; /* module of the kernel that has it */
	dtrace_ctf_t *dtt_ctfp; /* NULL */
	long dtt_type;		/* a number for the functions below */
} dtrace_typeinfo_t;

/* A type by its name in D ("struct task_struct *"). */
int dtrace_lookup_by_type(dtrace_hdl_t *dtp, const char *object, const char *name,
			  dtrace_typeinfo_t *tip);
/* The same of a text, or a file. */
int dtrace_type_strcompile(dtrace_hdl_t *dtp, const char *s, dtrace_typeinfo_t *tip);
int dtrace_type_fcompile(dtrace_hdl_t *dtp, FILE *fp, dtrace_typeinfo_t *tip);
/* That of a symbol, which a look-up has returned; symp may be NULL. */
int dtrace_symbol_type(dtrace_hdl_t *dtp, const GElf_Sym *symp, const dtrace_syminfo_t *sip,
		       dtrace_typeinfo_t *tip);
/* Its name, as dtrace_addr2str(); its size in bytes, or -1. */
int dtrace_type_name(dtrace_hdl_t *dtp, const dtrace_typeinfo_t *tip, char *buf, int n);
ssize_t dtrace_type_size(dtrace_hdl_t *dtp, const dtrace_typeinfo_t *tip);

/* ---- processes ---- */

/* Run, and stop until dtrace_go(); or watch one.  NULL: dtrace_errno() says why.  They belong to
 * the handle.  The thread that creates one also calls dtrace_go(). */
struct ps_prochandle *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file, char *const *argv);
struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int flags);
/* Watch it no longer; one that was created and is not let go yet is let go. */
void dtrace_proc_release(dtrace_hdl_t *dtp, struct ps_prochandle *P);
void dtrace_proc_continue(dtrace_hdl_t *dtp, struct ps_prochandle *P);
pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, struct ps_prochandle *P);

/* ---- names of numbers ---- */

const char *dtrace_faultstr(dtrace_hdl_t *dtp, int fault);
const char *dtrace_stability_name(int stability); /* NULL: there is none of this number */
const char *dtrace_class_name(int cls);
char *dtrace_attr2str(dtrace_attribute_t attr, char *buf, size_t len); /* "Stable/Stable/ISA" */
int dtrace_str2attr(const char *s, dtrace_attribute_t *attr);	       /* -1: it is none */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
