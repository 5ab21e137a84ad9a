/* library */
provider v { probe a:b:entry(int n); probe a:c:entry(); };
site v:a:c:entry from test:::two { return (1); }
/* error: line 3: site of v:::entry returns 1 arguments, the probe has 0 */
