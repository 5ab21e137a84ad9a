BEGIN { trace(pid ? "a" : 1); }
/* error: line 1: branches of ?: have incompatible types: "string" : "int" */
