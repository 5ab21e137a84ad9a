# 1 "swap.h" 1
static inline unsigned short swap(unsigned short v)
{
	while (v) {
		return (v >> 8) | (v << 8);
	}
	return '{';
}
extern inline int same(int a) { return a; }
typedef unsigned short word_t;
# 1 "ok_header_functions.d" 2
word_t w;
BEGIN { w = 1; trace(w); }
