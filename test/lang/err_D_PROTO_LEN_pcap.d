BEGIN { pcap(curthread); }
