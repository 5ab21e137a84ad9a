BEGIN { @s["x"] = sum(10), @s["x"] = sum(-3); }
