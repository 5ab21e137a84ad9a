typedef int foo;
self foo foo;
foo foo;
BEGIN { foo = 3; self->foo = foo; }
