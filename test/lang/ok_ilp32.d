/* option: ilp32 */
BEGIN { printf("%ld %lld %d", (long)1, 2LL, (size_t)3); }
