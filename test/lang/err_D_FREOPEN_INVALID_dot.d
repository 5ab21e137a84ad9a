BEGIN { freopen("."); }
