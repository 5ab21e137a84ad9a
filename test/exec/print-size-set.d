/* printsize can be set while tracing runs. */
#pragma D option quiet

struct two {
	int x, y;
} two;

BEGIN { print(two); setopt("printsize", "4"); }
BEGIN { print(two); exit(0); }
