/*
 * usdt.d: the provider of usdt.c.
 */
typedef struct request { int size; } request_t;

provider testprov {
	probe numbers(uint8_t, int8_t, uint16_t, short, unsigned, int, uint64_t, int64_t);
	probe text__done(int n, const char *text);
	probe asked(request_t *r);
	probe many(int, int, int, int, int, int, int, int, int, int, int, int);
	probe twice(int place);
	probe idle(void);
};
