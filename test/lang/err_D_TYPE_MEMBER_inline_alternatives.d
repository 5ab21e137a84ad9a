struct known {
	int old;
};

inline int missing[struct known *k] = k->new else k->newer; 
/* error: line 5: newer is not a member of struct known */
