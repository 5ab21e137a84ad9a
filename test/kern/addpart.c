/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * addpart.c: test-addpart DEVICE NUMBER START SECTORS: adds a partition of the device to the
 * kernel, in sectors of 512 bytes.  It writes no partition table, because not every kernel reads
 * one, and not every util-linux has addpart(8).
 */
#include <fcntl.h>
#include <linux/blkpg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

int main(int argc, char *argv[])
{
	struct blkpg_partition part = {0};
	struct blkpg_ioctl_arg arg = {
	    .op = BLKPG_ADD_PARTITION, .datalen = sizeof(part), .data = &part};
	int fd;

	if (argc != 5) {
		fprintf(stderr, "usage: test-addpart DEVICE NUMBER START SECTORS\n");
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	part.pno = atoi(argv[2]);
	part.start = atoll(argv[3]) * 512;
	part.length = atoll(argv[4]) * 512;
	if (fd < 0 || ioctl(fd, BLKPG, &arg) < 0) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
