typedef int foo;
typedef int foo;
