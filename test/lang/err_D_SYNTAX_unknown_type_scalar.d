BEGIN { this->x = (conn_id_t)arg0; }
/* error: line 1: unknown type conn_id_t */
