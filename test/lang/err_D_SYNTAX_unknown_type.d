BEGIN { this->x = (conn_t *)arg0; }
/* error: line 1: unknown type conn_t */
