/* -n */
BEGIN, test:::int { trace(1); } END
