provider again { probe a(int); };
provider again {
	probe a(int);
	probe more();
};
/* error: line 4: provider again was declared differently before: probe more */
