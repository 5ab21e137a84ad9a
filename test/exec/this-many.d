/* More clause-local integers than registers and words of stack, shared by all clauses. */
#pragma D option quiet

this int8_t z;

int n, x;

BEGIN
{
	x = 0x5a5a5a;
}

BEGIN
{
	this->v0 = x + 0;
	this->v1 = x + 1;
	this->v2 = x + 2;
	this->v3 = x + 3;
	this->v4 = x + 4;
	this->v5 = x + 5;
	this->v6 = x + 6;
	this->v7 = x + 7;
	this->v8 = x + 8;
	this->v9 = x + 9;
	this->v10 = x + 10;
	this->v11 = x + 11;
	this->v12 = x + 12;
	this->v13 = x + 13;
	this->v14 = x + 14;
	this->v15 = x + 15;
	this->v16 = x + 16;
	this->v17 = x + 17;
	this->v18 = x + 18;
	this->v19 = x + 19;
	this->v20 = x + 20;
	this->v21 = x + 21;
	this->v22 = x + 22;
	this->v23 = x + 23;
	this->v24 = x + 24;
	this->v25 = x + 25;
	this->v26 = x + 26;
	this->v27 = x + 27;
	this->v28 = x + 28;
	this->v29 = x + 29;
	this->v30 = x + 30;
	this->v31 = x + 31;
	this->v32 = x + 32;
	this->v33 = x + 33;
	this->v34 = x + 34;
	this->v35 = x + 35;
	this->v36 = x + 36;
	this->v37 = x + 37;
	this->v38 = x + 38;
	this->v39 = x + 39;
	this->v40 = x + 40;
	this->v41 = x + 41;
	this->v42 = x + 42;
	this->v43 = x + 43;
	this->v44 = x + 44;
	this->v45 = x + 45;
	this->v46 = x + 46;
	this->v47 = x + 47;
	this->v48 = x + 48;
	this->v49 = x + 49;
	this->v50 = x + 50;
	this->v51 = x + 51;
	this->v52 = x + 52;
	this->v53 = x + 53;
	this->v54 = x + 54;
	this->v55 = x + 55;
	this->v56 = x + 56;
	this->v57 = x + 57;
	this->v58 = x + 58;
	this->v59 = x + 59;
	this->v60 = x + 60;
	this->v61 = x + 61;
	this->v62 = x + 62;
	this->v63 = x + 63;
	this->v64 = x + 64;
	this->v65 = x + 65;
	this->v66 = x + 66;
	this->v67 = x + 67;
	this->v68 = x + 68;
	this->v69 = x + 69;
	this->v70 = x + 70;
	this->v71 = x + 71;
	this->v72 = x + 72;
	this->v73 = x + 73;
	this->v74 = x + 74;
	this->v75 = x + 75;
	this->v76 = x + 76;
	this->v77 = x + 77;
	this->v78 = x + 78;
	this->v79 = x + 79;
	this->v80 = x + 80;
	this->v81 = x + 81;
	this->v82 = x + 82;
	this->v83 = x + 83;
	this->v84 = x + 84;
	this->v85 = x + 85;
	this->v86 = x + 86;
	this->v87 = x + 87;
	this->v88 = x + 88;
	this->v89 = x + 89;
	if (x & 1)
		this->f0 = 1;
	if (x & 2)
		this->f1 = 1;
	if (x & 4)
		this->f2 = 1;
	if (x & 8)
		this->f3 = 1;
	if (x & 16)
		this->f4 = 1;
	if (x & 32)
		this->f5 = 1;
	if (x & 64)
		this->f6 = 1;
	if (x & 128)
		this->f7 = 1;
	if (x & 256)
		this->f8 = 1;
	if (x & 512)
		this->f9 = 1;
	if (x & 1024)
		this->f10 = 1;
	if (x & 2048)
		this->f11 = 1;
	if (x & 4096)
		this->f12 = 1;
	if (x & 8192)
		this->f13 = 1;
	if (x & 16384)
		this->f14 = 1;
	if (x & 32768)
		this->f15 = 1;
	if (x & 65536)
		this->f16 = 1;
	if (x & 131072)
		this->f17 = 1;
	if (x & 262144)
		this->f18 = 1;
	if (x & 524288)
		this->f19 = 1;
	if (x & 1048576)
		this->f20 = 1;
	if (x & 2097152)
		this->f21 = 1;
	if (x & 4194304)
		this->f22 = 1;
	if (x & 8388608)
		this->f23 = 1;
	this->z = 200;
}

BEGIN
{
	printf("%d", this->z + this->missing++
	    + this->v0
	    + this->v1
	    + this->v2
	    + this->v3
	    + this->v4
	    + this->v5
	    + this->v6
	    + this->v7
	    + this->v8
	    + this->v9
	    + this->v10
	    + this->v11
	    + this->v12
	    + this->v13
	    + this->v14
	    + this->v15
	    + this->v16
	    + this->v17
	    + this->v18
	    + this->v19
	    + this->v20
	    + this->v21
	    + this->v22
	    + this->v23
	    + this->v24
	    + this->v25
	    + this->v26
	    + this->v27
	    + this->v28
	    + this->v29
	    + this->v30
	    + this->v31
	    + this->v32
	    + this->v33
	    + this->v34
	    + this->v35
	    + this->v36
	    + this->v37
	    + this->v38
	    + this->v39
	    + this->v40
	    + this->v41
	    + this->v42
	    + this->v43
	    + this->v44
	    + this->v45
	    + this->v46
	    + this->v47
	    + this->v48
	    + this->v49
	    + this->v50
	    + this->v51
	    + this->v52
	    + this->v53
	    + this->v54
	    + this->v55
	    + this->v56
	    + this->v57
	    + this->v58
	    + this->v59
	    + this->v60
	    + this->v61
	    + this->v62
	    + this->v63
	    + this->v64
	    + this->v65
	    + this->v66
	    + this->v67
	    + this->v68
	    + this->v69
	    + this->v70
	    + this->v71
	    + this->v72
	    + this->v73
	    + this->v74
	    + this->v75
	    + this->v76
	    + this->v77
	    + this->v78
	    + this->v79
	    + this->v80
	    + this->v81
	    + this->v82
	    + this->v83
	    + this->v84
	    + this->v85
	    + this->v86
	    + this->v87
	    + this->v88
	    + this->v89);
	if (this->f0)
		n++;
	if (this->f1)
		n++;
	if (this->f2)
		n++;
	if (this->f3)
		n++;
	if (this->f4)
		n++;
	if (this->f5)
		n++;
	if (this->f6)
		n++;
	if (this->f7)
		n++;
	if (this->f8)
		n++;
	if (this->f9)
		n++;
	if (this->f10)
		n++;
	if (this->f11)
		n++;
	if (this->f12)
		n++;
	if (this->f13)
		n++;
	if (this->f14)
		n++;
	if (this->f15)
		n++;
	if (this->f16)
		n++;
	if (this->f17)
		n++;
	if (this->f18)
		n++;
	if (this->f19)
		n++;
	if (this->f20)
		n++;
	if (this->f21)
		n++;
	if (this->f22)
		n++;
	if (this->f23)
		n++;
	printf(" %d\n", n);
}

END
{
	printf("%d %d\n", this->v3, this->f1);
}
