BEGIN { x = "abc"; y = x == "abc" ? x : execname; z = strjoin(x, y); trace(x < y); trace(stringof(curthread->comm)); w = curthread->comm; trace(w); }
