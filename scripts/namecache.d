#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * namecache.d: what happens in the cache of names
 *
 * usage: dtrace -s namecache.d [seconds]
 *
 * A lookup finds a name, or that there is no such name, or nothing.
 * Only where the kernel lets its functions be traced.
 *
 *	seconds	between lines, 1 if it is not given
 *
 *	HIT	lookups that found a name
 *	HIT-	those that found that there is no such name
 *	MISS	those that found nothing
 *	ENTER	entries that were made
 *	ENTER-	and such that a name is not there
 *	PURGE	entries that became invalid
 *	PURGE-	and such that a name is not there
 *	ZAP	entries that left memory
 *	ZAP-	and such that a name is not there
 *
 * example: namecache.d
 *	     HIT     HIT-     MISS    ENTER   ENTER-    PURGE   PURGE-      ZAP     ZAP-
 *	     123        0      112       62      164       63       10        2      112
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
