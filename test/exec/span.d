/* span_begin() and span_end() print their arguments, as trace() does.  rows: span_begin span_end */
#pragma D option quiet

BEGIN
{
	span_begin("a");
	trace(" ");
	span_begin("b", 7);
	trace(" ");
	span_begin("c", "x", "00-t");
	trace(" ");
	span_end();
	span_end(7);
	span_end("x");
	exit(0);
}
