/* Only variables that can be deleted accept 0 for a structure. */
struct st { int a; } g;

BEGIN
{
	g = 0;
}
/* error: line 6: operands have incompatible types: "struct st" = "int" */
