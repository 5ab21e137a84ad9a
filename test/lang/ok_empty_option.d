/* option: empty */
int x;
/* rows: -xempty */
