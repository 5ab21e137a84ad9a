#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-langs.t: args[] of functions in C, C++, Rust and Go, as several compilers pass them.
#
# guests: none
# needs: gcc g++ python3
. "${0%/*}/lib.sh"

cd "$work" || exit

# ---- random programs (args-gen.py): dtrace shows each value as the program prints it, or reports it as unknown

# same LANGUAGE SUFFIX COMPILER...
same() {
	local language=$1 suffix=$2 compiler
	shift 2
	python3 "$top/test/kern/args-gen.py" "$language" 1 12 "args.$suffix" args.d
	for compiler; do
		if ! type -P "${compiler%% *}" >/dev/null; then
			skip "$compiler" "not installed"
			continue
		fi
		rm -f program
		$compiler -o program "args.$suffix" >errors 2>&1 || note_file "errors of $compiler" errors
		python3 "$top/test/kern/args-check.py" "$dtrace" args.d ./program >result 2>&1
		ok "$compiler: no value is wrong" grep -q ' 0 faults, 0 wrong$' result || note_file result result
		positive "$(sed -n 's/ shown.*//p' result)" "$compiler: values are shown"
	done
}
export GOPATH=$work GOCACHE=$work/cache
same c c 'gcc -g -w -O0' 'gcc -g -w -O2' 'clang -g -w -O2'
same c++ cc 'g++ -g -w -O0' 'g++ -g -w -O2' 'clang++ -g -w -O1'
same rust rs 'rustc -g' 'rustc -g -O'
same go go 'go build'

# ---- types of equal names, and of other units

cat >names.cc <<'END'
#include <memory>
#include <vector>
struct Order { struct Item { int id; int price; }; Item it; enum State { OPEN, CLOSED }; };
struct Cart { struct Item { int price; int id; }; Item it; enum State { IDLE, BUSY }; };
struct A { int x, y; };
struct B { int y, x; };
struct Base { int base = 7; };
struct Virtual : virtual Base { int own = 8; };
#define SEE(p) asm volatile("" :: "r"(p) : "memory")
extern "C" {
__attribute__((noinline)) void order(Order *o, Order::State s) { SEE(o); SEE(s); }
__attribute__((noinline)) void cart(Cart *c, Cart::State s) { SEE(c); SEE(s); }
__attribute__((noinline)) void of_a(std::vector<A> *v) { SEE(v); }
__attribute__((noinline)) void of_b(std::vector<B> *v) { SEE(v); }
__attribute__((noinline)) std::unique_ptr<int> unique(int n) { SEE(n); return std::make_unique<int>(n); }
__attribute__((noinline)) void inherits(Virtual *v) { SEE(v); }
__attribute__((noinline)) double real(double d, int n) { SEE(n); return d; }
}
int main()
{
	Order o = {{1, 100}};
	Cart c = {{200, 2}};
	std::vector<A> a = {{1, 2}};
	std::vector<B> b = {{20, 10}};
	Virtual v;
	order(&o, Order::CLOSED);
	cart(&c, Cart::BUSY);
	of_a(&a);
	of_b(&b);
	unique(42);
	inherits(&v);
	real(1.5, 43);
}
END
g++ -g -O1 -o names names.cc
dtrace_run -qn 'pid$target:a.out:order:entry { printf("order %d %d\n", args[0]->it.id, args[0]->it.price); print(args[1]); }
	pid$target:a.out:cart:entry { printf("cart %d %d\n", args[0]->it.id, args[0]->it.price); print(args[1]); }
	pid$target:a.out:of_a:entry { printf("a %d\n", args[0]->_M_impl._M_start->x); }
	pid$target:a.out:of_b:entry { printf("b %d\n", args[0]->_M_impl._M_start->x); }
	pid$target:a.out:unique:entry { printf("unique %d\n", args[0]); }
	pid$target:a.out:inherits:entry { printf("own %d\n", args[0]->own); }
	pid$target:a.out:real:entry { printf("real %d\n", args[1]); }' -c ./names
is "$(grep . out | paste -sd ,)" \
	"order 1 100,enum State CLOSED,cart 2 200,enum State BUSY,a 1,b 10,unique 42,own 8,real 43" \
	"types of one name and size are different ones"
dtrace_run -qn 'pid$target:a.out:inherits:entry { printf("%d", args[0]->base); }' -c ./names
is "$(grep . out)" 7 "a member of a virtual base class"
cat >virtual.cc <<'END'
struct B0 { int b0 = 10; virtual ~B0() {} };
struct B1 { long b1 = 11; char text[8] = "eleven"; };
struct Deep : virtual B0 { int deep = 12; };
struct Left : virtual B1 { int left = 13; };
struct Right : virtual B1, virtual Deep { int right = 14; };
struct Plain { int plain = 15; };
struct Most : Plain, Left, Right { int most = 16; Most *own; };
#define SEE(p) asm volatile("" :: "r"(p) : "memory")
extern "C" {
__attribute__((noinline)) void most(Most *m) { SEE(m); }
__attribute__((noinline)) void right(Right &m) { SEE(&m); }
__attribute__((noinline)) void left(Left *m) { SEE(m); }
__attribute__((noinline)) void value(Most m) { SEE(&m); }
}
int main()
{
	Most m;
	Left l;
	m.own = &m;
	m.b1 = 111;
	most(&m);
	right(m);
	left(&m);
	left(&l);
	value(m);
}
END
for compiler in g++ clang++; do
	type -P $compiler >/dev/null || { skip "virtual base classes of $compiler" "not installed"; continue; }
	$compiler -w -g -O1 -o virtual virtual.cc
	dtrace_run -qn 'pid$target:a.out:most:entry { printf("%d %d %d %d %d %d %d %s %d %d,", args[0]->b0, args[0]->b1, args[0]->deep, args[0]->left,
			args[0]->right, args[0]->plain, args[0]->most, stringof(args[0]->text), (*args[0]).b0, args[0]->own->b1); }
		pid$target:a.out:right:entry { printf("%d %d %d,", args[0]->b0, args[0]->b1, args[0]->deep); }
		pid$target:a.out:left:entry { printf("%d %d,", args[0]->b1, args[0]->left); }
		pid$target:a.out:value:entry { printf("%d %d", args[0].b1, args[0].left); }' -c ./virtual
	is "$(grep . out)" "10 111 12 13 14 15 16 eleven 10 111,10 111 12,111 13,11 13,111 13" "virtual base classes of $compiler"
done
dtrace_run -x errtags -n 'pid$target:a.out:most:entry { this->m = *args[0]; trace(this->m.b1); }' -c ./virtual
has err '\[D_TYPE_MEMBER\].*this copy may lack; use a pointer to the object' "... not in a copy"
dtrace_run -x errtags -n 'pid$target:a.out:real:entry { trace(args[0]); }' -c ./names
has err '\[D_ARGS_TYPE\].*args\[0\] cannot be read: parameter d: it is in a floating-point register' "a floating-point number"

# Static functions of one name in several units.
for unit in 'int 11 3' 'long 7000000000 5000000000' 'int 21 4'; do
	read -r type result number <<<"$unit"
	cat >"unit-$number.c" <<-END
	struct own_$number { int pad; $type result; };
	static __attribute__((noipa)) $type same(struct own_$number *p, $type n) { return p->result; }
	int run_$number(void) { struct own_$number own = {0, $result}; return same(&own, $number) == 1; }
	END
done
echo 'int run_3(void), run_4(void), run_5000000000(void); int main(void) { return run_3() + run_5000000000() + run_4(); }' >units.c
gcc -g -O1 -o units units.c unit-*.c
dtrace_run -qn 'pid$target:a.out:same:entry /args[1] != 4/ { printf("%d %d,", args[1], args[0]->result); }
	pid$target:a.out:same:return { printf("%d,", args[1]); @[args[1]] = count(); } END { printa("%d ", @); }' -c ./units
is "$(grep . out)" "3 11,11,5000000000 7000000000,7000000000,21,11 21 7000000000 " "each function of a name has its own parameters"
dtrace_run -n 'pid$target:a.out:same:entry { @ = sum(args[1] & 7); }' -c ./units
has err "'pid\\\$target:a.out:same:entry ' matched 3 probes" "... which count together"

# Enumerations have the size and sign that the program declares.
cat >enums.cc <<'END'
#include <cstdint>
enum class U8 : uint8_t { A = 1, B = 200 };
enum class S8 : int8_t { A = -3 };
enum class U16 : uint16_t { A = 65535 };
enum class U32 : uint32_t { A = 4294967295 };
enum class S64 : int64_t { A = -5000000000 };
struct All { U8 u8; S8 s8; U16 u16; U32 u32; S64 s64; };
extern "C" __attribute__((noinline)) void look(All *a, U8 u8, S8 s8, U16 u16, U32 u32, S64 s64) {
	__asm__ volatile("" ::"r"(a), "r"(u8), "r"(s8), "r"(u16), "r"(u32), "r"(s64) : "memory");
}
int main() {
	All a = {U8::B, S8::A, U16::A, U32::A, S64::A};
	look(&a, a.u8, a.s8, a.u16, a.u32, a.s64);
}
END
g++ -g -O1 -o enums enums.cc
dtrace_run -qn 'pid$target:a.out:look:entry {
	printf("%d %d %d %d %d\n", args[0]->u8, args[0]->s8, args[0]->u16, args[0]->u32, args[0]->s64);
	printf("%d %d %d %d %d\n", args[1], args[2], args[3], args[4], args[5]);
	printf("%d %d %d %d\n", args[0]->u8 > 100, args[1] > 100, args[0]->s8 < 0, args[4] > 5);
	@[args[0]->u8, args[1]] = count(); print(args[1]); }
	END { printa("%d %d %@d\n", @); }' -c ./enums
is "$(grep . out | paste -sd ,)" "200 -3 65535 4294967295 -5000000000,200 -3 65535 4294967295 -5000000000,1 1 1 1,enum U8 B,200 200 1" \
	"enumerations of each size and sign"

# Functions by their names in the source, whose colons do not belong to the description.
cat >shop.cc <<'END'
namespace shop {
struct Cart {
	int n;
	__attribute__((noinline)) void add(int k) { n += k; __asm__ volatile("" ::: "memory"); }
};
}
int main() { shop::Cart c = {1}; c.add(5); return c.n != 6; }
END
g++ -g -O1 -o shop shop.cc
for name in 'shop\:\:Cart\:\:add?int?' 'shop\:\:Cart\:\:*' '*Cart\:\:add*'; do
	dtrace_run -qn "pid\$target:a.out:$name:entry { printf(\"%d\", args[1]); }" -c ./shop
	has out '^5$' "$name"
done
dtrace_run -n 'pid$target:a.out:shop::Cart::add:entry' -c ./shop
has err 'Overspecified probe description; write \\: for a colon in a name of C\+\+$' "colons of a name: the message"
dtrace_run -Zqn 'pid$target:a.out:nosuch:entry { } BEGIN { printf("goes on"); }' -c ./shop
is "$status $(cat out)" "0 goes on" "-Z: a function that the program does not have"

# ---- forms of debug information

for form in '-gdwarf-4 -fdebug-types-section' '-gdwarf-5 -fdebug-types-section' '-g -gz=zlib' -gdwarf-2 \
	'-gdwarf-5 -gsplit-dwarf' '-gdwarf-4 -gsplit-dwarf'; do
	# shellcheck disable=SC2086
	g++ $form -O1 -o names names.cc
	dtrace_run -qn 'pid$target:a.out:cart:entry { printf("cart %d %d %d\n", args[0]->it.id, args[0]->it.price, args[1]); }' -c ./names
	has out '^cart 2 200 1$' "$form"
done
for form in '-g1 types' '-g -gsplit-dwarf dwo' '-g0 file'; do
	# shellcheck disable=SC2086
	g++ ${form% *} -O1 -o names names.cc
	rm -f ./*.dwo
	dtrace_run -x errtags -n 'pid$target:a.out:cart:entry { trace(args[0]); }' -c ./names
	has err "\\[D_ARGS_IDX\\].* the probe has 0, because .*${form##* }" "${form% *}: what is missing"
done

# Units in files of their own, each from one file, with variables and structures of other units.
cat >split.c <<'END'
struct late;
extern struct late late;
struct pair { int a, b; } pairs[2] = {{1, 2}, {3, 4}};
static volatile int counter = 42;
static inline __attribute__((always_inline)) int inlined(int n) { return n * counter; }
__attribute__((noinline)) int take(struct pair *p, struct late *l) { return inlined(p->a) + (l != 0); }
int main(void) { return take(&pairs[1], &late) == 0; }
END
echo 'struct late { long x; char name[8]; } late = {-7, "late"};' >late.c
for compiler in gcc clang; do
	$compiler -g -O1 -gsplit-dwarf -o split split.c late.c
	dtrace_run -qn 'pid$target:a.out:take:entry { printf("%d %s %d ", args[0]->b, args[1]->name, args[1]->x);
		printf("%d %d\n", a.out`counter, ((a.out`struct pair *)arg0)->a); }' -c ./split
	is "$(grep . out)" "4 late -7 42 3" "$compiler: units of several files"
	chown 65534 ./*.dwo
	dtrace_run -x errtags -n 'pid$target:a.out:take:entry { trace(args[0]); }' -c ./split
	has err "\\[D_ARGS_IDX\\].* the probe has 0, because .*dwo" "$compiler: files of another owner are not read"
	for file in ./*.dwo; do
		mkfifo pipe
		mv pipe "$file"
	done
	dtrace_run -x errtags -n 'pid$target:a.out:take:entry { trace(args[0]); }' -c ./split
	has err "\\[D_ARGS_IDX\\].* the probe has 0, because .*dwo" "$compiler: and pipes are not"
	rm ./*.dwo
done

cat >1.c <<'END'
struct conn;
struct twice;
__attribute__((noinline)) int use(struct conn *c, struct twice *t) { __asm__ volatile("" ::"r"(c), "r"(t) : "memory"); return 0; }
END
cat >2.c <<'END'
struct conn { int fd; char name[8]; };
struct twice { int a; };
int use(struct conn *c, struct twice *t);
int main(void) { struct conn a = {8, "ay"}; struct twice t = {0}; return use(&a, &t); }
END
echo 'struct twice { long a, b; } other;' >3.c
gcc -g -O1 -o conn 1.c 2.c 3.c
dtrace_run -qn 'pid$target:a.out:use:entry { printf("fd %d\n", args[0]->fd); }' -c ./conn
has out '^fd 8$' "a structure that another unit defines"
dtrace_run -x errtags -n 'pid$target:a.out:use:entry { trace(args[1]->a); }' -c ./conn
positive "$(grep -c D_ err)" "one that two units define in different ways stays unknown"

done_testing
