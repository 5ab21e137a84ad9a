BEGIN { exit(0); }
test:::int { @[execname] = count(); }
