/* option: version=1.7 */
BEGIN { trace(tolower("A")); }
/* error: line 2: undefined function name: tolower */
