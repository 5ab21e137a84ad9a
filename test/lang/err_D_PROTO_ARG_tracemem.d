BEGIN { tracemem(curthread, "x"); }
