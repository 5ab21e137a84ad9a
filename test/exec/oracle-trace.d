/* trace() by type and sign; rows: DIALECT_TYPED_TRACE dialect */
#pragma D option quiet
#pragma D option dialect=oracle

struct two {
	char a, b;
} two;
char text[4];

BEGIN
{
	setopt("quiet", "no");
	text[0] = 'a';
	text[1] = 'b';
}

BEGIN { trace(-1); trace(4000000000); trace(-1LL); trace(0xffffffffffffffff); }
BEGIN { trace((char)-1); trace((unsigned char)255); trace((short)-1); trace((unsigned short)7); }
BEGIN { trace("text"); trace((void *)-1); }
BEGIN { trace(two); }
BEGIN { trace(text); }

BEGIN
{
	setopt("quiet");
}

BEGIN { trace((char)-1); trace(" "); trace(0xffffffffffffffff); exit(0); }
