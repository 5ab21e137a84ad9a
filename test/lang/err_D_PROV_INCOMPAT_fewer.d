provider again { probe a(int); probe fewer(); };
provider again { probe a(int); };
/* error: line 2: provider again was declared differently before: probe fewer */
