/* The levels of a member of a translator and of its source add up with the others. */
struct from { int n; };
struct to { int m; };
translator struct to < struct from *F > { m = -F->n; };
inline int a0[int x] = -x;
inline int a1[int x] = a0[a0[x]];
inline int a2[int x] = a1[a1[x]];
inline int a3[int x] = a2[a2[x]];
inline int a4[int x] = a3[a3[x]];
inline int a5[int x] = a4[a4[x]];
inline int a6[int x] = a5[a5[x]];
inline int a7[int x] = a6[a6[x]];
inline int a8[int x] = a7[a7[x]];
inline int a9[int x] = a8[a8[x]];
inline int a10[int x] = a9[a9[x]];
inline int a11[int x] = a10[a10[x]];
BEGIN
{
	y = a11[a11[xlate <struct to> ((struct from *)arg0).m]];
}
/* error: line 19: expression has 12291 levels after expanding its names; 8192 are allowed */
