BEGIN { trace(@nope + 3); }
/* error: line 1: undefined aggregation: @nope */
