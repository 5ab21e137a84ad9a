/* library */
inline int lib_limit = 5;
struct lib_out { int a; };
translator struct lib_out < int x > { a = lib_limit; };
