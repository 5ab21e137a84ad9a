/* library */
provider v { probe a(int n); };
site v:::a from test:::two { if (args[0]) { this->n = 1; } return (this->n); }
/* error: line 3: syntax error near "if" */
