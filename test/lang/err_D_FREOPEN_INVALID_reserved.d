BEGIN { freopen("/dev/null/original"); }
