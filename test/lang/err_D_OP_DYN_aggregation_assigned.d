BEGIN { @s["x"] = sum(10), @s["x"] = sum(-3); }
/* error: line 1: operator , may not have a translated object or aggregation as its operand */
