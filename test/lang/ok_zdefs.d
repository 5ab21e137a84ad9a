/* option: zdefs */
nosuch:::nosuch { }
