provider chaos {
	probe step(int);
};
