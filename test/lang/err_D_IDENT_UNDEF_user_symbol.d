/* option: knodefs */
BEGIN { trace(mod``nosuch); }
/* error: line 2: failed to resolve mod``nosuch: no such symbol */
