/* agghist, aggpack and aggzoom change how aggregations are displayed, also while tracing. */
#pragma D option quiet
#pragma D option encoding=ascii

BEGIN
{
	@h["beta"] = sum(1);
	@h["alpha"] = sum(3);
	@q["x"] = quantize(1);
	@q["x"] = quantize(2);
	@q["x"] = quantize(2);
	@l = lquantize(3, 0, 5, 1);
}

BEGIN
{
	setopt("agghist");
	printa(@h);
	setopt("agghist", "no");
	printa(@h);
}

BEGIN
{
	setopt("aggpack", "yes");
	printa(@q);
	printa(@l);
	setopt("aggpack", "unset");
	setopt("aggzoom", "1");
	printa(@q);
}
/* rows: -xagghist -xaggpack -xaggzoom -xencoding */
