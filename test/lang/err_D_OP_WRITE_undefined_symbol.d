/* option: knodefs */
BEGIN { `no_such = 1; }
