#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-objects.t: types and variables of the traced program by name, and functions of equal names.
# rows: D_SYM_NOTYPES
#
# guests: none
# needs: gcc g++
. "${0%/*}/lib.sh"

cd "$work" || exit

cat >one.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
struct address { char city[8]; int zip; };
typedef struct connection { int fd; long bytes; struct address from; struct connection *next; } connection_t;
union word { int n; char bytes[4]; };
enum colour { RED, GREEN = 7 };
const int *early_const;
struct qualified { volatile const int *p; int n; } *qualified_1;
int counter;
static volatile long grand = -5000000000;
unsigned char small = 250;
char text[16] = "a text";
struct connection global = {.fd = 3, .bytes = 10, .from = {"Here", 1234}};
connection_t *first = &global;
struct { int x, y; } points[3] = {{1, 2}, {3, 4}, {5, 6}};
enum colour colour = GREEN;
static volatile int twice = 1;
int of_two(void);
__thread int per_thread = 5;
struct differs { int one; };
struct differs *differ_1;
#define SEE(p) asm volatile("" :: "r"(p) : "memory")
static __attribute__((noipa)) void same(int n) { SEE(n); }
__attribute__((noinline)) void take(void *p) { SEE(p); }
void take_two(void *p);
int main(void)
{
	struct connection c = {.fd = 4, .bytes = -1, .from = {"There", 99}, .next = &global};
	struct connection *p = &c;
	union word w = {.n = 0x44434241};

	for (int i = 0; i < 3; i++) {
		counter++;
		take(&c);
	}
	take_two(&p);
	take_two(&w);
	same(11);
	if (fork() == 0) {
		take(&c);
		exit(0);
	}
	wait(NULL);
	return of_two() + twice + (int)grand + per_thread;
}
END
cat >two.c <<'END'
static volatile int twice = 2;
volatile int *early_volatile;
struct qualified { volatile const int *p; int n; } *qualified_2;
struct differs { long two[4]; };
struct differs *differ_2;
#define SEE(p) asm volatile("" :: "r"(p) : "memory")
static __attribute__((noipa)) void same(int unused, const char *text) { SEE(text); SEE(unused); }
__attribute__((noinline)) void take_two(void *p) { SEE(p); }
int of_two(void) { same(0, "of two"); return ++twice; }
END
cat >library.c <<'END'
struct state { int ready; } library_state = {42};
END
cat >three.cc <<'END'
namespace shop { struct Order { int id; }; struct Cart { struct Item { int price; } item; }; int orders = 77; }
namespace { struct Hidden { int h; }; }
class Plain { public: int value; };
#define SEE(p) asm volatile("" :: "r"(p) : "memory")
extern "C" __attribute__((noinline)) void take(void *order, void *item, void *plain, void *hidden)
{ SEE(order); SEE(item); SEE(plain); SEE(hidden); }
int main()
{
	shop::Order o = {8};
	shop::Cart::Item i = {9};
	Plain p = {10};
	Hidden h = {11};
	take(&o, &i, &p, &h);
	return shop::orders - 77;
}
END
for flags in -O0 -O2; do
	gcc -g -w $flags -fPIC -shared -o libbase++-1.so library.c &&
		gcc -g -w $flags -o program one.c two.c -Wl,--no-as-needed "$work/libbase++-1.so" &&
		g++ -g -w $flags -o plus three.cc || bail_out "the programs do not compile"

	# ---- types

	dtrace_run -qn 'pid$target:a.out:take:entry /pid == $target/ {
			this->c = (a.out`struct connection *)arg0;
			this->d = (struct a.out`connection *)arg0;
			this->e = (a.out`connection_t *)arg0;
			printf("%d %d %d %d %s %d ", this->c->fd, this->d->fd, this->e->fd, this->c->bytes,
				stringof(this->c->from.city), this->c->next->from.zip);
			printf("%d %d\n", sizeof (a.out`struct connection) + sizeof (a.out`struct qualified),
				sizeof (a.out`connection_t));
		}' -c ./program
	is "$(grep . out | sort -u)" "4 4 4 -1 There 1234 56 40" "$flags: members of a structure that is named"
	dtrace_run -qn 'pid$target:a.out:take_two:entry /!seen++/ {
			printf("%d ", (*(a.out`struct connection **)arg0)->fd); }
		pid$target:a.out:take_two:entry /seen == 2/ { printf("%c", ((a.out`union word *)arg0)->bytes[1]); }' -c ./program
	is "$(cat out)" "4 B" "$flags: a pointer to a pointer, a union"
	dtrace_run -qn 'pid$target:a.out:take:entry {
			printf("%d %d %d %d", ((a.out`shop::Order *)arg0)->id, ((a.out`shop::Cart::Item *)arg1)->price,
				((a.out`Plain *)arg2)->value, ((a.out`struct Hidden *)arg3)->h);
			printf(" %d\n", a.out`shop::orders); }' -c ./plus
	is "$(cat out)" "8 9 10 11 77" "$flags: types and a variable in namespaces and classes"

	# ---- variables

	dtrace_run -qn 'pid$target:a.out:take:entry /pid == $target/ {
			printf("%d %d %d %s %d %s %d %d %d\n", a.out`counter, a.out`grand, a.out`small, stringof(a.out`text),
				a.out`first->fd, stringof(a.out`global.from.city), a.out`points[2].x, a.out`colour,
				plus.so`x);
		}' -c ./program
	is $status 1 "$flags: an object that is not there"
	dtrace_run -qn 'pid$target:a.out:take:entry /pid == $target/ {
			printf("%d %d %d %s ", a.out`counter, a.out`grand, a.out`small, stringof(a.out`text));
			printf("%d %s %d %s ", a.out`first->fd, stringof(a.out`global.from.city), a.out`points[2].x,
				enumname(a.out`colour));
			printf("%d %d\n", libbase++-1.so`library_state.ready, *&a.out`counter);
		}' -c ./program
	is "$(cat out)" "1 -5000000000 250 a text 3 Here 5 GREEN 42 1
2 -5000000000 250 a text 3 Here 5 GREEN 42 2
3 -5000000000 250 a text 3 Here 5 GREEN 42 3" "$flags: variables of all kinds, as they are at each firing"
	dtrace_run -qn 'pid$target:a.out:take:entry { @[a.out`counter, a.out`first->from.zip] = count(); }
		END { printa("%d %d %@d\n", @); }' -c ./program
	is "$(grep . out | paste -sd ,)" "1 1234 1,2 1234 1,3 1234 1" "$flags: as keys"
	dtrace_run -qx follow -n 'pid$target:a.out:take:entry { @[pid == $target, a.out`counter] = count(); }
		ERROR { @errors[arg4 == DTRACEFLT_BADADDR] = count(); }
		END { printa("%d %d %@d\n", @); printa("errors %d %@d\n", @errors); }' -c ./program
	is "$(grep . out | paste -sd ,)" "1 1 1,1 2 1,1 3 1,errors 1 1" "$flags: in another process it is a fault"

	# ---- two functions of one name

	dtrace_run -ln 'pid$target:a.out:same:entry' -c ./program
	is "$(grep -c ' same  *entry$' out)" 2 "$flags: two functions of one name are two probes"
	id=$(awk '$4 == "same" { print $1 }' out | head -n 1)
	dtrace_run -qn 'pid$target:a.out:same:entry { @[probefunc] = count(); }' -c ./program
	has out ' same +2$' "$flags: a description is for both"
	dtrace_run -qn 'pid$target:a.out:same:entry /args[0] != 0/ { printf("%d\n", args[0]); }' -c ./program
	is "$(grep . out)" 11 "$flags: arguments that both have"
	dtrace_run -x errtags -qn 'pid$target:a.out:same:entry { print(args[1]); }' -c ./program
	has err 'D_ARGS_IDX' "$flags: an argument that one lacks"
	dtrace_run -lvn 'pid$target:a.out:same:entry' -c ./program
	is "$(sed -n 's/^.*args\[1\]: //p' out)" "userland const char *" "$flags: each has its own arguments"
done

# ---- impossible requests

# refused TEXT MESSAGE TITLE
refused() {
	dtrace_run -x errtags -qn "pid\$target:a.out:take:entry { $1 }" -c ./program
	is "$status" 1 "$3"
	has err "$2" "... and the message"
}
refused 'trace(a.out`nosuch);' 'failed to resolve a.out`nosuch: a.out has no variable nosuch' "a variable that is not there"
refused 'trace(a.out`twice);' 'failed to resolve a.out`twice: a.out has several variables twice' "one of two"
refused 'trace(a.out`per_thread);' 'a.out has no variable per_thread in memory' "a variable of each thread"
refused 'trace(((a.out`struct nosuch *)arg0)->x);' 'failed to resolve struct a.out`nosuch: no such type' "a type that is not there"
refused 'trace(((a.out`struct differs *)arg0)->x);' 'a.out has several types struct differs, which differ' "a type that differs"
refused 'trace(((a.out`struct connection *)arg0)->nosuch);' 'D_TYPE_MEMBER' "a member that is not there"
refused 'a.out`counter = 5;' 'D_OP_WRITE' "an assignment"
dtrace_run -qn 'BEGIN { trace(a.out`counter); exit(0); }'
has err 'a.out needs a process' "without a process"
cp program stripped
strip -g stripped
dtrace_run -x errtags -qn 'pid$target:a.out:take:entry { trace(a.out`counter); }' -c ./stripped
has err 'D_SYM_NOTYPES.*no symbolic type information is available for a.out`counter' "without debug information"
gcc -gbtf -w -o with-btf one.c two.c 2>/dev/null && {
	dtrace_run -qn 'pid$target:a.out:take:entry /pid == $target/ {
			printf("%d %d %d\n", ((a.out`struct connection *)arg0)->fd, a.out`counter,
				((a.out`struct connection *)arg0)->bytes);
			exit(0); }' -c ./with-btf
	is "$(cat out)" "4 1 -1" "BTF of a program"
}

done_testing
