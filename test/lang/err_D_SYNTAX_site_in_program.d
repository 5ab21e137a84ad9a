site a:::b from c:::d { }
