BEGIN { bytes = 1; @byted = sum(1); printa(@bytef); }
/* error: line 1: undefined aggregation: @bytef; did you mean byted? */
