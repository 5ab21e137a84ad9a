/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * time.d: types of the C library that system calls take and that the kernel has under other names.
 */
struct timespec {
	long tv_sec;
	long tv_nsec;
};
struct timeval {
	long tv_sec;
	long tv_usec;
};
typedef struct timespec timespec_t;
typedef struct timeval timeval_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
typedef uint32_t socklen_t;
typedef int64_t off64_t;
