/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msg_test.c: texts of messages, drops and run-time errors.
 */
#include <signal.h>

#include "base/buf.h"
#include "print/msg.h"
#include "test.h"

static struct buf b;

static const char *text(void)
{
	static char last[512];

	snprintf(last, sizeof(last), "%s", buf_str(&b));
	buf_reset(&b);
	return last;
}

static const char *drop(enum msg_drop kind, uint64_t n)
{
	msg_drop(&b, kind, n, 3, false);
	return text();
}

static void test_drops(void)
{
	CHECK_STR(drop(MSG_DROP_PRINCIPAL, 1), "1 drop on CPU 3");
	CHECK_STR(drop(MSG_DROP_PRINCIPAL, 2), "2 drops on CPU 3");
	CHECK_STR(drop(MSG_DROP_AGGREGATION, 1), "1 aggregation drop on CPU 3");
	CHECK_STR(drop(MSG_DROP_AGGREGATION, 9), "9 aggregation drops on CPU 3");
	CHECK_STR(drop(MSG_DROP_DYNAMIC, 1), "1 dynamic variable drop");
	CHECK_STR(drop(MSG_DROP_DYNRINSE, 2),
		  "2 dynamic variable drops with non-empty rinsing list");
	CHECK_STR(drop(MSG_DROP_DYNDIRTY, 1), "1 dynamic variable drop with non-empty dirty list");
	CHECK_STR(drop(MSG_DROP_SPEC, 5), "5 speculative drops");
	CHECK_STR(drop(MSG_DROP_SPECBUSY, 1),
		  "1 failed speculation (available buffer(s) still busy)");
	CHECK_STR(drop(MSG_DROP_SPECBUSY, 2),
		  "2 failed speculations (available buffer(s) still busy)");
	CHECK_STR(drop(MSG_DROP_SPECUNAVAIL, 1),
		  "1 failed speculation (no speculative buffer available)");
	CHECK_STR(drop(MSG_DROP_STKSTROVERFLOW, 2), "2 jstack()/ustack() string table overflows");
	CHECK_STR(drop(MSG_DROP_DBLERROR, 1), "1 error in ERROR probe enabling");
	CHECK_STR(drop(MSG_DROP_DBLERROR, 3), "3 errors in ERROR probe enabling");
	msg_drop(&b, MSG_DROP_AGGREGATION, 2, 0, true);
	CHECK_STR(text(), "[DTRACEDROP_AGGREGATION] 2 aggregation drops on CPU 0");
	CHECK_STR(msg_drop_tag(MSG_DROP_SPEC), "DTRACEDROP_SPEC");
}

static void test_errors(void)
{
	struct msg_error e = {.epid = 2,
			      .id = 57,
			      .prov = "syscall",
			      .mod = "vmlinux",
			      .func = "openat",
			      .name = "entry",
			      .fault = MSG_FAULT_BADADDR,
			      .addr = 0x10,
			      .action = 1,
			      .offset = 12};
#define START "error on enabled probe ID 2 (ID 57: syscall:vmlinux:openat:entry): "

	msg_error(&b, &e);
	CHECK_STR(text(), START "invalid address (0x10) in action #1 at DIF offset 12");
	e.action = 0;
	e.offset = -1;
	msg_error(&b, &e);
	CHECK_STR(text(), START "invalid address (0x10) in predicate");
	e.fault = MSG_FAULT_DIVZERO;
	e.action = 2;
	msg_error(&b, &e);
	CHECK_STR(text(), START "divide-by-zero in action #2");
	e.text = "couldn't set option \"x\" to \"y\": Invalid option name";
	msg_error(&b, &e);
	CHECK_STR(text(), START "couldn't set option \"x\" to \"y\": Invalid option name");
	CHECK_STR(msg_fault_text(9), "bad stack");
	CHECK_STR(msg_fault_name(1000), "DTRACEFLT_LIBRARY");
	CHECK_STR(msg_fault_text(77), "unknown fault");
	CHECK_INT(MSG_FAULT_UPRIV, 7);
}

static void test_notices(void)
{
	msg_matched(&b, false, "BEGIN { exit(0); }", 1);
	CHECK_STR(text(), "description 'BEGIN ' matched 1 probe");
	msg_matched(&b, false, "syscall:::entry/pid == 1/", 342);
	CHECK_STR(text(), "description 'syscall:::entry' matched 342 probes");
	msg_matched(&b, true, "./x/y.d", 2);
	CHECK_STR(text(), "script './x/y.d' matched 2 probes");
	msg_end(&b, &(struct msg_end){12, 0, true, false});
	CHECK_STR(text(), "pid 12 has exited");
	msg_end(&b, &(struct msg_end){12, 3, true, false});
	CHECK_STR(text(), "pid 12 exited with status 3");
	msg_end(&b, &(struct msg_end){12, SIGKILL, true, true});
	CHECK_STR(text(), "pid 12 terminated by SIGKILL");
	msg_end(&b, &(struct msg_end){12, SIGRTMIN + 2, true, true});
	CHECK_STR(text(), "pid 12 terminated by SIGRTMIN+2");
	msg_end(&b, &(struct msg_end){12, 4000, true, true});
	CHECK_STR(text(), "pid 12 terminated by signal 4000");
	msg_exec(&b, 12);
	CHECK_STR(text(), "pid 12 exec'd a set-id or unobservable program");
	msg_size(&b, "buffer", 512 * 1024);
	CHECK_STR(text(), "buffer size lowered to 512k");
	msg_size(&b, "aggregation", 4 << 20);
	CHECK_STR(text(), "aggregation size lowered to 4m");
	msg_size(&b, "dynamic variable", 1000);
	CHECK_STR(text(), "dynamic variable size lowered to 1000 bytes");
	msg_rate(&b, "cleaning", 1000000, 9900990);
	CHECK_STR(text(), "cleaning rate reduced to 101 hz");
	msg_rate(&b, "cleaning", 100000000000, 60000000000);
	CHECK_STR(text(), "cleaning rate increased to once every 60 seconds");
	msg_rate(&b, "status", 1, 1500000000);
	CHECK_STR(text(), "status rate reduced to once every 1500000000 nanoseconds");
	msg_rate(&b, "status", 2000000000, 1000000000);
	CHECK_STR(text(), "status rate increased to 1 hz");
}

static void test_events(void)
{
	static const struct {
		enum msg_event ev;
		const char *arg1, *arg2, *want;
	} rows[] = {
	    {MSG_EVENT_DESTRUCTIVE, NULL, NULL, "allowing destructive actions"},
	    {MSG_EVENT_NOT_MATCHED, NULL, NULL, "no probes matched"},
	    {MSG_EVENT_NOT_SPECIFIED, NULL, NULL, "no probes specified"},
	    {MSG_EVENT_MATCH_FAILED, "a:b:c:d", "No probe matches description",
	     "failed to match a:b:c:d: No probe matches description"},
	    {MSG_EVENT_OPEN_SCRIPT, "x.d", "No such file or directory",
	     "failed to open x.d: No such file or directory"},
	    {MSG_EVENT_ENABLE, "BEGIN", "why", "failed to enable 'BEGIN': why"},
	    {MSG_EVENT_ENABLE_TRACING, "why", NULL, "could not enable tracing: why"},
	    {MSG_EVENT_SET_OPTION, "x foo", "why", "failed to set -x foo: why"},
	    {MSG_EVENT_OPEN_OUTPUT, "f", "why", "failed to open output file 'f': why"},
	    {MSG_EVENT_WRITE_OUTPUT, "f", "why", "failed to write to f: why"},
	    {MSG_EVENT_INVALID_PID, "x", NULL, "invalid pid: x"},
	    {MSG_EVENT_GRAB, "1", "why", "failed to grab pid 1: why"},
	    {MSG_EVENT_EXECUTE, "cmd", "why", "failed to execute cmd: why"},
	    {MSG_EVENT_INITIALIZE, "why", NULL, "failed to initialize dtrace: why"},
	    {MSG_EVENT_MODES, "AGhlV", NULL,
	     "only one of the [-AGhlV] options can be specified at a time"},
	    {MSG_EVENT_ABORTED, "why", NULL, "processing aborted: why"},
	};

	CHECK_INT(sizeof(rows) / sizeof(rows[0]), MSG_EVENT_MAX);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		msg_event(&b, rows[i].ev, rows[i].arg1, rows[i].arg2);
		CHECK_STR(text(), rows[i].want);
	}
	CHECK_STR(msg_reason(MSG_REASON_OPTION_NAME), "Invalid option name");
	CHECK_STR(msg_reason(MSG_REASON_PROBE_SPEC), "Invalid probe specification");
}

int main(void)
{
	test_drops();
	test_errors();
	test_notices();
	test_events();
	buf_free(&b);
	return TEST_DONE();
}
