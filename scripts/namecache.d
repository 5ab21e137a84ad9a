#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * namecache.d: what happens in the cache of names: lookups that found a name, that a name is not
 * there, or nothing; entries that were made, became invalid (purge) and left memory (zap), and those
 * of names that are not there (-).
 *
 * usage: dtrace -s namecache.d [seconds]
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	interval = $1 > 0 ? $1 : 1;
	left = interval;
	printf("%8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "HIT", "HIT-", "MISS", "ENTER", "ENTER-",
	    "PURGE", "PURGE-", "ZAP", "ZAP-");
}

vfs:namecache:lookup:hit { @hit = count(); }
vfs:namecache:lookup:hit-negative { @hit_negative = count(); }
vfs:namecache:lookup:miss { @miss = count(); }
vfs:namecache:enter:done { @enter = count(); }
vfs:namecache:enter_negative:done { @enter_negative = count(); }
vfs:namecache:purge:done { @purge = count(); }
vfs:namecache:purge_negative:done { @purge_negative = count(); }
vfs:namecache:zap:done { @zap = count(); }
vfs:namecache:zap_negative:done { @zap_negative = count(); }

profile:::tick-1sec
{
	left--;
}

profile:::tick-1sec
/left == 0/
{
	left = interval;
	printa("%@8u %@8u %@8u %@8u %@8u %@8u %@8u %@8u %@8u\n", @hit, @hit_negative, @miss, @enter,
	    @enter_negative, @purge, @purge_negative, @zap, @zap_negative);
	clear(@hit);
	clear(@hit_negative);
	clear(@miss);
	clear(@enter);
	clear(@enter_negative);
	clear(@purge);
	clear(@purge_negative);
	clear(@zap);
	clear(@zap_negative);
}

dtrace:::END
{
	printa("%@8u %@8u %@8u %@8u %@8u %@8u %@8u %@8u %@8u\n", @hit, @hit_negative, @miss, @enter,
	    @enter_negative, @purge, @purge_negative, @zap, @zap_negative);
}
