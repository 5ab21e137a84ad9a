self int y;
int x[self->y];
/* error: line 2: array subscript must be a positive integer constant or types */
