string s;
BEGIN { trace(pid ? 1 : s); }
/* error: line 2: branches of ?: have incompatible types: "int" : "string" */
