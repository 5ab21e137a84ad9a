typedef unsigned char octet, other, third;
BEGIN { trace((octet = 5)); trace((other++)); third = 3; trace((third = 1)); }
