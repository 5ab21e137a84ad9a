/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.d: static probes of user.c.
 */
provider bench {
	probe plain(long n);
	probe tested(long n);
};
