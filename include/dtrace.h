/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace.h: the interface of libdtrace, for programs that trace with D.  libdtrace(3) describes the
 * functions, and docs/library.md shows a program.
 *
 * Names, prototypes and layouts are the same as in libdtrace of other systems.  Unless a comment
 * says otherwise, functions that return int return 0, or -1 and set dtrace_errno().  Only one
 * thread at a time may use a handle.  Several handles are independent.
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

/* The version of the language, as dtrace -V prints it: "Sun D 1.14". */
extern const char _dtrace_version[];

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
struct ps_prochandle;

/* Types that other systems define in their own headers. */
#ifndef DTRACE_NO_BOOLEAN
typedef enum { B_FALSE = 0, B_TRUE = 1 } boolean_t;
#endif
typedef unsigned char uchar_t;
typedef unsigned short ushort_t;
typedef unsigned int uint_t;
typedef unsigned long ulong_t;
typedef long long longlong_t;
typedef unsigned long long u_longlong_t;
typedef long long hrtime_t; /* nanoseconds */
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
#define DTRACE_O_NODEV 0x01 /* for compiling and listing only; needs no privileges */
#define DTRACE_O_NOSYS 0x02 /* the same on Linux */
#define DTRACE_O_LP64  0x04 /* the data model of D programs: 64 bits, the default */
#define DTRACE_O_ILP32 0x08 /* or 32 */

/*
 * Returns NULL on failure, and sets *errp, whose text dtrace_errmsg(NULL, *errp) returns.  The
 * library prints nothing itself.
 */
dtrace_hdl_t *dtrace_open(int version, int flags, int *errp);

/* Stops tracing and frees everything.  Kills processes that dtrace_proc_create() has started. */
void dtrace_close(dtrace_hdl_t *dtp);

/*
 * Error numbers; other errors have the numbers of errno(3).  dtrace_errmsg() returns a text that is
 * valid until the next call with the handle.
 */
enum {
	EDT_BASE = 1000,
	EDT_VERSION = EDT_BASE, /* the program was built for another version */
	EDT_PRIVILEGES,		/* tracing requires more privileges */
	EDT_COMPILER,		/* the program has errors, which the text describes */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_ACTIVE,	 /* impossible while tracing is active */
	EDT_NOTACTIVE,	 /* possible only while tracing is active */
	EDT_DESTRUCTIVE, /* destructive actions are not allowed */
	EDT_ENABLING,	 /* could not enable the programs; the text has the reason */
	EDT_NOPROBE,	 /* no probe matches the description */
	EDT_UNSTABLE,	 /* several probes match the description */
	EDT_BADSPEC,	 /* invalid description */
	EDT_NOSYM,
	EDT_NOSYMADDR,
	EDT_NOTYPE,
	EDT_NOBUFFERED, /* neither a file nor a handler of buffered output */
	EDT_DIRABORT,	/* a consumer callback returned ..._ABORT */
	EDT_ERRABORT,	/* a run-time error that no handler accepted */
	EDT_DROPABORT,	/* a loss of data that no handler accepted */
	EDT_PROC,	/* a problem with a process, which the text describes */
	EDT_WRITE,	/* could not write output; the text has the reason */
	EDT_LINK,	/* could not make the object; the text has the reason */
	EDT_NOMOD,
	EDT_BADRVAL, /* a consumer callback returned an invalid value */
	EDT_NOMEM    /* memory is exhausted; the handle can only be closed */
};

int dtrace_errno(dtrace_hdl_t *dtp);
const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error);

/* Set and get an option of dtrace(1) -x.  val of dtrace_setopt() may be NULL. */
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)
int dtrace_setopt(dtrace_hdl_t *dtp, const char *opt, const char *val);
/* Sizes are in bytes, rates in nanoseconds, flags 0 or 1; words are numbers from 0. */
int dtrace_getopt(dtrace_hdl_t *dtp, const char *opt, dtrace_optval_t *val);

/* ---- descriptions of probes ---- */

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN  64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN	   64
#define DTRACE_FULLNAMELEN \
	(DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

/* Longer names are truncated. */
typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* ---- programs ---- */

/* The last field of the description that a program text begins with. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

/* Flags of compilation.  Others are ignored. */
#define DTRACE_C_DIFV	0x0001 /* print the code to standard error */
#define DTRACE_C_EMPTY	0x0002 /* accept an empty program */
#define DTRACE_C_ZDEFS	0x0004 /* accept descriptions that match nothing */
#define DTRACE_C_CPP	0x0010 /* run the C preprocessor first */
#define DTRACE_C_KNODEF 0x0020
#define DTRACE_C_UNODEF 0x0040
#define DTRACE_C_PSPEC	0x0080
#define DTRACE_C_ETAGS	0x0100 /* put tags into errors */
#define DTRACE_C_ARGREF 0x0200 /* accept arguments that the program does not use */
#define DTRACE_C_DEFARG 0x0800 /* replace missing arguments by 0 */
#define DTRACE_C_NOLIBS 0x1000
#define DTRACE_C_CTL	0x2000

/* Stability of names and of data, and the class of dependency (man d.7, STABILITY). */
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
	unsigned int dpi_aggregates;	 /* aggregating statements */
	unsigned int dpi_recgens;	 /* recorded values, with keys of aggregations */
	unsigned int dpi_matches;	 /* matching probes, counted for each clause */
	unsigned int dpi_speculations;	 /* clauses with speculate() */
} dtrace_proginfo_t;

/*
 * Compile a program.  It belongs to the handle.  argv[0] is the macro argument $0, argv[1] is $1,
 * and so on.  Return NULL on failure.
 */
dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *s, dtrace_probespec_t spec,
					 unsigned int cflags, int argc, char *const argv[]);
dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *fp, unsigned int cflags, int argc,
				       char *const argv[]);

/* Enables the program; dtrace_go() starts tracing.  info may be NULL. */
int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_proginfo_t *info);
void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_proginfo_t *info);

/*
 * A clause of a program for one of its descriptions, without its code.  Valid as long as the
 * handle.
 */
typedef struct dtrace_ecbdesc {
	dtrace_probedesc_t dted_probe; /* as written; an empty field matches everything */
} dtrace_ecbdesc_t;

typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	dtrace_attribute_t dtsd_descattr; /* of the description */
	dtrace_attribute_t dtsd_stmtattr; /* of the statements */
} dtrace_stmtdesc_t;

/* Calls func for each clause in order, until a call returns a value other than 0.  Returns it. */
typedef int dtrace_stmt_f(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_stmtdesc_t *sdp, void *arg);
int dtrace_stmt_iter(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, dtrace_stmt_f *func, void *arg);

/* Writes the C header for the providers that compiled programs declare, as dtrace -h does. */
int dtrace_program_header(dtrace_hdl_t *dtp, FILE *out, const char *fname);
/* Makes the object file for a program with probes of its own, as dtrace -G does. */
int dtrace_program_link(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, unsigned int dflags,
			const char *file, int objc, char *const objv[]);

/* ---- tracing ---- */

#define DTRACE_STATUS_NONE    0 /* tracing has not started */
#define DTRACE_STATUS_OKAY    1
#define DTRACE_STATUS_EXITED  2 /* the program has called exit() */
#define DTRACE_STATUS_FILLED  3 /* a buffer with policy fill is full */
#define DTRACE_STATUS_STOPPED 4 /* dtrace_stop() was called */

typedef enum {
	DTRACE_WORKSTATUS_ERROR = -1,
	DTRACE_WORKSTATUS_OKAY,
	DTRACE_WORKSTATUS_DONE /* everything is consumed, records of END included */
} dtrace_workstatus_t;

int dtrace_go(dtrace_hdl_t *dtp);
int dtrace_stop(dtrace_hdl_t *dtp);
void dtrace_sleep(dtrace_hdl_t *dtp); /* waits until there is work for dtrace_work() */
int dtrace_status(dtrace_hdl_t *dtp); /* DTRACE_STATUS_*, or -1 */

/* ---- records ---- */

#define DTRACEACT_NONE		   0
#define DTRACEACT_DIFEXPR	   1 /* the value of an expression */
#define DTRACEACT_EXIT		   2
#define DTRACEACT_PRINTF	   3
#define DTRACEACT_PRINTA	   4
#define DTRACEACT_LIBACT	   5 /* the consumer executes it: clear(), trunc() ... */
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

/*
 * An item of a record.  A kernel stack is an array of dtrd_arg addresses of 8 bytes, which ends
 * early at an address 0.  A stack or address of a process begins with the process id in 8 bytes.
 */
typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;   /* bytes; 0: no data */
	uint32_t dtrd_offset; /* from the start of the record, or of the aggregation's data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* for dtrace_format_lookup(); 0: none */
	uint64_t dtrd_arg;    /* stacks: number of frames */
	uint64_t dtrd_uarg;   /* number of the action in its clause, from 0 */
} dtrace_recdesc_t;

/* An enabled probe: a clause at a probe. */
typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg;
	uint32_t dtepd_size; /* of a record */
	int dtepd_nrecs;
	dtrace_recdesc_t dtepd_rec[1]; /* number: ..._nrecs */
} dtrace_eprobedesc_t;

typedef enum { DTRACEFLOW_ENTRY, DTRACEFLOW_RETURN, DTRACEFLOW_NONE } dtrace_flowkind_t;

/* Argument of consumer callbacks.  Valid only during the call. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	processorid_t dtpda_cpu;
	char *dtpda_data;	      /* the record, or its available part */
	dtrace_flowkind_t dtpda_flow; /* this and the following: option flowindent */
	const char *dtpda_prefix;
	int dtpda_indent;
} dtrace_probedata_t;

#define DTRACE_CONSUME_ERROR (-1) /* dtrace_work() fails */
#define DTRACE_CONSUME_THIS  0	  /* print it */
#define DTRACE_CONSUME_NEXT  1	  /* skip it */
#define DTRACE_CONSUME_ABORT 2	  /* dtrace_work() fails with EDT_DIRABORT */

/* Called for each record; and for each action of a record, at the end with rec NULL. */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
				 void *arg);

/*
 * Does one round of consuming.  The output goes to fp, or to the handler of buffered output if fp
 * is NULL.  Without pf, all records are consumed.  Without rf, nothing is printed.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
				dtrace_consume_rec_f *rf, void *arg);
/* Consumes records only: no processes, losses or aggregations. */
int dtrace_consume(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
		   dtrace_consume_rec_f *rf, void *arg);

/* ---- formats ---- */

/*
 * Return the format of an action, or make one of printf() or printa().  NULL: there is none, or it
 * is invalid.  Formats are valid as long as the handle.
 */
void *dtrace_format_lookup(dtrace_hdl_t *dtp, int fmtid);
void *dtrace_printf_create(dtrace_hdl_t *dtp, const char *s);
void *dtrace_printa_create(dtrace_hdl_t *dtp, const char *s);

/*
 * Copies the text of a format: at most len bytes with the NUL.  Returns the length of the whole
 * text without the NUL.
 */
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
#define DTRACEFLT_LIBRARY   1000 /* the library has found it, not the kernel */

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc;
	dtrace_probedesc_t *dteda_pdesc;
	processorid_t dteda_cpu;
	int dteda_action; /* from 1; 0: the predicate */
	int dteda_offset; /* -1: unknown */
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
	DTRACEDROP_RETURNS /* option uretprobe of dtrace(1) */
} dtrace_dropkind_t;

#define DTRACE_CPUALL (-1)

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	processorid_t dtdda_cpu; /* DTRACE_CPUALL: all */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;  /* since the last report */
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
	dtrace_optval_t dtsda_oldval, dtsda_newval; /* as dtrace_getopt() returns them */
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

/* The first word of a value of lquantize() or llquantize().  The buckets follow it. */
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

/* dtagd_rec[] describes the number of the aggregation, then its keys, and at last its value. */
typedef struct dtrace_aggdesc {
	char *dtagd_name; /* without the @ */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid;
	uint32_t dtagd_size;
	int dtagd_nrecs;
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* number: ..._nrecs */
} dtrace_aggdesc_t;

/*
 * A row.  Its value depends on the function:
 *   count, sum, min, max                 int64_t
 *   avg                                  count, sum
 *   stddev                               count, sum, sum of squares in 128 bits, low word first
 *   quantize, lquantize, llquantize      see above
 */
typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t
	    *dtada_edesc; /* the first probe, if there are several; has no records */
	dtrace_probedesc_t *dtada_pdesc;
	char *dtada_data;
	uint64_t dtada_normal; /* divisor of normalize(); 1: none */
	size_t dtada_size;
	char *dtada_delta;	   /* NULL */
	char **dtada_percpu;	   /* option aggpercpu: values of each CPU; else NULL */
	char **dtada_percpu_delta; /* NULL */
} dtrace_aggdata_t;

/* Results of a walk function, which decide about the row. */
#define DTRACE_AGGWALK_ERROR	   (-1) /* the walk fails */
#define DTRACE_AGGWALK_NEXT	   0
#define DTRACE_AGGWALK_ABORT	   1 /* the walk fails with EDT_DIRABORT */
#define DTRACE_AGGWALK_CLEAR	   2 /* set its value to that without data */
#define DTRACE_AGGWALK_NORMALIZE   3 /* divide by dtada_normal, which the function has set */
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE	   5

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *dtp, dtrace_aggregate_f *func, void *arg);
typedef int dtrace_aggregate_walk_joined_f(const dtrace_aggdata_t **data, const int n, void *arg);

int dtrace_aggregate_snap(dtrace_hdl_t *dtp); /* reads new data from the kernel */
void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

/* Prints aggregations that were never printed.  func decides the order; NULL: as dtrace(1). */
int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, dtrace_aggregate_walk_f *func);

/*
 * Call a function for all rows, sorted by aggregation and then by key or value.  var: sorted by key
 * or value first.  rev: in reverse order.
 */
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

/*
 * Calls func for each key of the first aggregation.  data[0] has the key.  data[1] to data[n] are
 * the rows of the aggregations; NULL: no such key.
 */
int dtrace_aggregate_walk_joined(dtrace_hdl_t *dtp, dtrace_aggvarid_t *vars, int nvars,
				 dtrace_aggregate_walk_joined_f *func, void *arg);

#define DTRACE_BUFDATA_AGGKEY	 0x0001 /* text of a key */
#define DTRACE_BUFDATA_AGGVAL	 0x0002 /* text of a value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* text of a format of printa() */
#define DTRACE_BUFDATA_AGGLAST	 0x0008 /* end of a row */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;
	dtrace_probedata_t *dtbda_probe;       /* NULL: an aggregation at the end */
	const dtrace_recdesc_t *dtbda_recdesc; /* NULL: no action */
	const dtrace_aggdata_t *dtbda_aggdata; /* NULL: no row */
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

/*
 * Calls func for all matching probes, pdp NULL: for all, until a call returns a value other than 0.
 * Returns it.
 */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, void *arg);
int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, dtrace_probe_f *func,
		      void *arg);
int dtrace_probe_info(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, dtrace_probeinfo_t *pip);
int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *pdp);
/* Parses "provider:module:function:name".  spec is the last field of the text. */
int dtrace_str2desc(dtrace_hdl_t *dtp, dtrace_probespec_t spec, const char *s,
		    dtrace_probedesc_t *pdp);
char *dtrace_desc2str(const dtrace_probedesc_t *pdp, char *buf, size_t len);

/* ---- addresses and types ---- */

typedef struct dtrace_syminfo {
	const char *dts_object; /* kernel module */
	const char *dts_name;
	unsigned long dts_id; /* 0 */
} dtrace_syminfo_t;

/* symp and sip may be NULL.  The strings are valid until the next such call with the handle. */
int dtrace_lookup_by_addr(dtrace_hdl_t *dtp, uint64_t addr, GElf_Sym *symp, dtrace_syminfo_t *sip);
int dtrace_lookup_by_name(dtrace_hdl_t *dtp, const char *object, const char *name, GElf_Sym *symp,
			  dtrace_syminfo_t *sip);

/*
 * Write an address as "vmlinux`vfs_read+0x10", at most n bytes with the NUL.  Return the length of
 * the whole text without the NUL.
 */
int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t addr, char *buf, int n);
int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t addr, char *buf, int n);

#define DTRACE_OBJ_KMODS ((const char *)-3L)

#define DTRACE_OBJ_EVERY ((const char *)-1L)

#define DTRACE_OBJ_F_KERNEL  0x1 /* belongs to the kernel */
#define DTRACE_OBJ_F_PRIMARY 0x2 /* the kernel itself */

/* The kernel, or one of its modules.  Unknown members are 0. */
typedef struct dtrace_objinfo {
	const char *dto_name; /* valid as long as the handle */
	const char *dto_file; /* file with its types; "": none */
	int dto_id;
	unsigned int dto_flags;
	Elf64_Addr dto_text_va; /* its code; for a module, the size of all its memory */
	Elf64_Xword dto_text_size;
	Elf64_Addr dto_data_va;
	Elf64_Xword dto_data_size;
	Elf64_Addr dto_bss_va;
	Elf64_Xword dto_bss_size;
} dtrace_objinfo_t;

/*
 * Calls func for the kernel and then for its modules, until a call returns a value other than 0.
 * Returns it.
 */
typedef int dtrace_obj_f(dtrace_hdl_t *dtp, const dtrace_objinfo_t *dto, void *arg);
int dtrace_object_iter(dtrace_hdl_t *dtp, dtrace_obj_f *func, void *arg);
int dtrace_object_info(dtrace_hdl_t *dtp, const char *object, dtrace_objinfo_t *dto);

typedef struct ctf_file dtrace_ctf_t;

/* Linux describes types in BTF, so there is no CTF container. */
typedef struct dtrace_typeinfo {
	const char *dtt_object; /* kernel module that has it */
	dtrace_ctf_t *dtt_ctfp; /* NULL */
	long dtt_type;		/* a number for the functions below */
} dtrace_typeinfo_t;

/* Finds a type by its name in D ("struct task_struct *"). */
int dtrace_lookup_by_type(dtrace_hdl_t *dtp, const char *object, const char *name,
			  dtrace_typeinfo_t *tip);
/* Find a type by its name in a text or a file. */
int dtrace_type_strcompile(dtrace_hdl_t *dtp, const char *s, dtrace_typeinfo_t *tip);
int dtrace_type_fcompile(dtrace_hdl_t *dtp, FILE *fp, dtrace_typeinfo_t *tip);
/* Finds the type of a symbol that a look-up has returned.  symp may be NULL. */
int dtrace_symbol_type(dtrace_hdl_t *dtp, const GElf_Sym *symp, const dtrace_syminfo_t *sip,
		       dtrace_typeinfo_t *tip);
/* Write the name of a type, as dtrace_addr2str(), and return its size in bytes, or -1. */
int dtrace_type_name(dtrace_hdl_t *dtp, const dtrace_typeinfo_t *tip, char *buf, int n);
ssize_t dtrace_type_size(dtrace_hdl_t *dtp, const dtrace_typeinfo_t *tip);

/* ---- processes ---- */

/*
 * Start a process, which waits for dtrace_go(), or watch an existing one.  Return NULL on failure.
 * The handle owns the results.  The thread that starts a process must also call dtrace_go().
 */
struct ps_prochandle *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file, char *const *argv);
struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int flags);
/*
 * Stops watching a process.  Lets it run if it still waits.  Has no effect on a process that was
 * released, or after dtrace_close(): languages with garbage collection free objects in any order.
 */
void dtrace_proc_release(dtrace_hdl_t *dtp, struct ps_prochandle *P);
void dtrace_proc_continue(dtrace_hdl_t *dtp, struct ps_prochandle *P);
pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, struct ps_prochandle *P);

/* ---- names of numbers ---- */

const char *dtrace_faultstr(dtrace_hdl_t *dtp, int fault);
const char *dtrace_stability_name(int stability); /* NULL: invalid number */
const char *dtrace_class_name(int cls);
char *dtrace_attr2str(dtrace_attribute_t attr, char *buf, size_t len); /* "Stable/Stable/ISA" */
int dtrace_str2attr(const char *s, dtrace_attribute_t *attr);	       /* -1: invalid text */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
