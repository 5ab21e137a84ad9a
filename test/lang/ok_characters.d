BEGIN { x = 'a'; y = 'ab'; z = '\n'; w = '\x41'; v = "\q\101\x41"; }
