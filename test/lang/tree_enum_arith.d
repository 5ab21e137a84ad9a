enum small { ONE = 1 };
BEGIN { this->e = (enum small)1; x = this->e + 1; y = this->e - 1U; z = -this->e; w = this->e << 2; c = this->e == -1; k = pid ? this->e : 1; }
/* tree:
*/
