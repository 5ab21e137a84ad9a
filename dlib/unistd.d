/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unistd.d: faults, and flags of open(2).
 */
inline int DTRACEFLT_UNKNOWN = 0;
inline int DTRACEFLT_BADADDR = 1;
inline int DTRACEFLT_BADALIGN = 2;
inline int DTRACEFLT_ILLOP = 3;
inline int DTRACEFLT_DIVZERO = 4;
inline int DTRACEFLT_NOSCRATCH = 5;
inline int DTRACEFLT_KPRIV = 6;
inline int DTRACEFLT_UPRIV = 7;
inline int DTRACEFLT_TUPOFLOW = 8;
inline int DTRACEFLT_BADSTACK = 9;
inline int DTRACEFLT_BADSIZE = 10;
inline int DTRACEFLT_BADINDEX = 11;
inline int DTRACEFLT_LIBRARY = 1000;
inline int O_ACCMODE = 3;
inline int O_RDONLY = 0;
inline int O_WRONLY = 1;
inline int O_RDWR = 2;
inline int O_APPEND = 1024;
inline int O_CREAT = 64;
inline int O_DSYNC = 4096;
inline int O_EXCL = 128;
inline int O_LARGEFILE = 32768;
inline int O_NOCTTY = 256;
inline int O_NONBLOCK = 2048;
inline int O_NDELAY = 2048;
inline int O_RSYNC = 1052672;
inline int O_SYNC = 1052672;
inline int O_TRUNC = 512;
inline int O_FSYNC = 1052672;
inline int O_ASYNC = 8192;
inline int O_DIRECTORY = 65536;
inline int O_NOFOLLOW = 131072;
inline int O_CLOEXEC = 524288;

#pragma D binding "1.1" O_ACCMODE
#pragma D binding "1.1" O_RDONLY
#pragma D binding "1.1" O_WRONLY
#pragma D binding "1.1" O_RDWR
#pragma D binding "1.1" O_APPEND
#pragma D binding "1.1" O_CREAT
#pragma D binding "1.1" O_DSYNC
#pragma D binding "1.1" O_EXCL
#pragma D binding "1.1" O_LARGEFILE
#pragma D binding "1.1" O_NOCTTY
#pragma D binding "1.1" O_NONBLOCK
#pragma D binding "1.1" O_NDELAY
#pragma D binding "1.1" O_RSYNC
#pragma D binding "1.1" O_SYNC
#pragma D binding "1.1" O_TRUNC
#pragma D binding "1.1" O_FSYNC
#pragma D binding "1.1" O_ASYNC
#pragma D binding "1.1" O_DIRECTORY
#pragma D binding "1.1" O_NOFOLLOW
#pragma D binding "1.1" O_CLOEXEC
