int x["a"];
