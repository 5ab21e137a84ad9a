BEGIN { trace(this->x); }
/* error: line 1: this->x has not yet been declared or assigned */
