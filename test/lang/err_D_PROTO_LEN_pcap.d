BEGIN { pcap(curthread); }
/* error: line 1: pcap( ) prototype mismatch: 1 argument passed, 2 expected */
