/* Too many aggregations and arrays for a map each (plan/layout.c): some share maps. */
#pragma D option quiet

BEGIN
{
	a0[1, 0] = 0; @k0[0, "x"] = sum(0); @n0 = sum(0); @m0[0] = max(0);
	a1[1, 1] = 1; @k1[1, "x"] = sum(1); @n1 = sum(1); @m1[1] = max(1);
	a2[1, 2] = 2; @k2[2, "x"] = sum(2); @n2 = sum(2); @m2[2] = max(2);
	a3[1, 3] = 3; @k3[3, "x"] = sum(3); @n3 = sum(3); @m3[3] = max(3);
	a4[1, 4] = 4; @k4[4, "x"] = sum(4); @n4 = sum(4); @m4[4] = max(4);
	a5[1, 5] = 5; @k5[5, "x"] = sum(5); @n5 = sum(5); @m5[5] = max(5);
	a6[1, 6] = 6; @k6[6, "x"] = sum(6); @n6 = sum(6); @m6[6] = max(6);
	a7[1, 7] = 7; @k7[7, "x"] = sum(7); @n7 = sum(7); @m7[7] = max(7);
	a8[1, 8] = 8; @k8[8, "x"] = sum(8); @n8 = sum(8); @m8[8] = max(8);
	a9[1, 9] = 9; @k9[9, "x"] = sum(9); @n9 = sum(9); @m9[9] = max(9);
	a10[1, 10] = 10; @k10[10, "x"] = sum(10); @n10 = sum(10); @m10[10] = max(10);
	a11[1, 11] = 11; @k11[11, "x"] = sum(11); @n11 = sum(11); @m11[11] = max(11);
	a12[1, 12] = 12; @k12[12, "x"] = sum(12); @n12 = sum(12); @m12[12] = max(12);
	a13[1, 13] = 13; @k13[13, "x"] = sum(13); @n13 = sum(13); @m13[13] = max(13);
	a14[1, 14] = 14; @k14[14, "x"] = sum(14); @n14 = sum(14); @m14[14] = max(14);
	a15[1, 15] = 15; @k15[15, "x"] = sum(15); @n15 = sum(15); @m15[15] = max(15);
	a16[1, 16] = 16; @k16[16, "x"] = sum(16); @n16 = sum(16); @m16[16] = max(16);
	a17[1, 17] = 17; @k17[17, "x"] = sum(17); @n17 = sum(17); @m17[17] = max(17);
	a18[1, 18] = 18; @k18[18, "x"] = sum(18); @n18 = sum(18); @m18[18] = max(18);
	a19[1, 19] = 19; @k19[19, "x"] = sum(19); @n19 = sum(19); @m19[19] = max(19);
}

BEGIN
{
	a18[1, 18] = 0;
	a19[1, 19] += 100;
	clear(@k18);
	clear(@m19);
	trunc(@m18);
}

BEGIN
{
	printf("%d %d %d %d\n", a0[1, 0], a17[1, 17], a18[1, 18], a19[1, 19]);
	printf("%d %d\n", a19[1, 18], a16[1, 19]);
	printa("%@d %@d %@d\n", @n0, @n7, @n19);
	printa("%d %s %@d %@d %@d\n", @k1, @k17, @k18);
	printa("%d %@d %@d\n", @m17, @m19);
	printa("%d %@d\n", @m18);
	trunc(@k0); trunc(@n0); trunc(@m0);
	trunc(@k1); trunc(@n1); trunc(@m1);
	trunc(@k2); trunc(@n2); trunc(@m2);
	trunc(@k3); trunc(@n3); trunc(@m3);
	trunc(@k4); trunc(@n4); trunc(@m4);
	trunc(@k5); trunc(@n5); trunc(@m5);
	trunc(@k6); trunc(@n6); trunc(@m6);
	trunc(@k7); trunc(@n7); trunc(@m7);
	trunc(@k8); trunc(@n8); trunc(@m8);
	trunc(@k9); trunc(@n9); trunc(@m9);
	trunc(@k10); trunc(@n10); trunc(@m10);
	trunc(@k11); trunc(@n11); trunc(@m11);
	trunc(@k12); trunc(@n12); trunc(@m12);
	trunc(@k13); trunc(@n13); trunc(@m13);
	trunc(@k14); trunc(@n14); trunc(@m14);
	trunc(@k15); trunc(@n15); trunc(@m15);
	trunc(@k16); trunc(@n16); trunc(@m16);
	trunc(@k17); trunc(@n17); trunc(@m17);
	trunc(@k18); trunc(@n18); trunc(@m18);
	trunc(@k19); trunc(@n19); trunc(@m19);
	exit(0);
}
