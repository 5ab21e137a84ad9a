/* option: empty */
int x;
