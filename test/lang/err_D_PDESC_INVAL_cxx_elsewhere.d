fbt:a:std::move:entry { trace(1); }
/* error: line 1: invalid probe description "fbt:a:std::move:entry": Overspecified probe description */
