BEGIN /(1/ { }
