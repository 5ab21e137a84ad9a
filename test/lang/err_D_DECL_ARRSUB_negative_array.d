int x[-1]; BEGIN { }
/* error: line 1: array subscript must be a positive integer constant or types */
