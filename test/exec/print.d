/* Values with their types, structures member by member.  rows: print */
#pragma D option quiet

typedef struct point { int x; int y; struct { char name[4]; int b:3; } tag; struct point *next; } point_t;
enum color { RED, GREEN = 5 };
struct point p;
BEGIN { p.x = 3; p.y = -2; p.tag.name[0] = 'a'; p.tag.b=2; print(p); }
BEGIN { print(p.x); print("hello"); print((enum color)5); print('c'); print((char)'c');  print((uint8_t)255);}
BEGIN { exit(0); }
