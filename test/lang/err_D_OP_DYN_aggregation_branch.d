BEGIN { pid ? (@s = count()) : (@t = count()); }
