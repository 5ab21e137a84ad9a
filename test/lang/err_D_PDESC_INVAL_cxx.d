pid1:a:std::move:entry { trace(1); }
/* error: line 1: invalid probe description "pid1:a:std::move:entry": Overspecified probe description; write \: for a colon in a name of C++ */
