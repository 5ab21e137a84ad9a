BEGIN, END, test:::int / pid > 0 / { trace(1) }
