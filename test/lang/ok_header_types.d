# 1 "types.h" 1
typedef int small_t;
typedef int small_t;
struct flexible { int n; char data[0]; char more[]; };
struct empty { };
enum { BIG = 0x80000000, BIGGER = 0x100000000 };
# 1 "ok_header_types.d" 2
small_t s;
BEGIN { s = 1; trace(BIGGER); trace(((struct flexible *)s)->data[3]); }
