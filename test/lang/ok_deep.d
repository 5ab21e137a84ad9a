/* Parentheses, type names in them and else if share one high limit. */
BEGIN
{
	n = (((((((((((((((((((((((((((((((((((((((((int)1 + sizeof (char)))))))))))))))))))))))))))))))))))))))));
	if (n == 0)
		x = 0;
	else if (n == 1)
		x = 1;
	else if (n == 2)
		x = 2;
	else if (n == 3)
		x = 3;
	else if (n == 4)
		x = 4;
	else if (n == 5)
		x = 5;
	else if (n == 6)
		x = 6;
	else if (n == 7)
		x = 7;
	else if (n == 8)
		x = 8;
	else if (n == 9)
		x = 9;
	else if (n == 10)
		x = 10;
	else if (n == 11)
		x = 11;
	else if (n == 12)
		x = 12;
	else if (n == 13)
		x = 13;
	else if (n == 14)
		x = 14;
	else if (n == 15)
		x = 15;
	else if (n == 16)
		x = 16;
	else if (n == 17)
		x = 17;
	else if (n == 18)
		x = 18;
	else if (n == 19)
		x = 19;
	else if (n == 20)
		x = 20;
	else if (n == 21)
		x = 21;
	else if (n == 22)
		x = 22;
	else if (n == 23)
		x = 23;
	else if (n == 24)
		x = 24;
	else if (n == 25)
		x = 25;
	else if (n == 26)
		x = 26;
	else if (n == 27)
		x = 27;
	else if (n == 28)
		x = 28;
	else if (n == 29)
		x = 29;
	else if (n == 30)
		x = 30;
	else if (n == 31)
		x = 31;
	else if (n == 32)
		x = 32;
	else if (n == 33)
		x = 33;
	else if (n == 34)
		x = 34;
	else if (n == 35)
		x = 35;
	else if (n == 36)
		x = 36;
	else if (n == 37)
		x = 37;
	else if (n == 38)
		x = 38;
	else if (n == 39)
		x = 39;
	else if (n == 40)
		x = 40;
	else if (n == 41)
		x = 41;
	else if (n == 42)
		x = 42;
	else if (n == 43)
		x = 43;
	else if (n == 44)
		x = 44;
	else if (n == 45)
		x = 45;
	else if (n == 46)
		x = 46;
	else if (n == 47)
		x = 47;
	else if (n == 48)
		x = 48;
	else if (n == 49)
		x = 49;
	else if (n == 50)
		x = 50;
	else if (n == 51)
		x = 51;
	else if (n == 52)
		x = 52;
	else if (n == 53)
		x = 53;
	else if (n == 54)
		x = 54;
	else if (n == 55)
		x = 55;
	else if (n == 56)
		x = 56;
	else if (n == 57)
		x = 57;
	else if (n == 58)
		x = 58;
	else if (n == 59)
		x = 59;
	else if (n == 60)
		x = 60;
	else if (n == 61)
		x = 61;
	else if (n == 62)
		x = 62;
	else if (n == 63)
		x = 63;
	else if (n == 64)
		x = 64;
	else if (n == 65)
		x = 65;
	else if (n == 66)
		x = 66;
	else if (n == 67)
		x = 67;
	else if (n == 68)
		x = 68;
	else if (n == 69)
		x = 69;
	else if (n == 70)
		x = 70;
	exit(0);
}
