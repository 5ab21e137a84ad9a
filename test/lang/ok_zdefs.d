/* option: zdefs */
nosuch:::nosuch { }
/* rows: -xzdefs */
