/*
 * usdt-lib.d: the provider of usdt.c as a library.
 */
provider testlib {
	probe loaded(int n);
};
