pid$target:a.out:f0:entry { printf("f0 p0 %d\n", args[0]); }
pid$target:a.out:f0:entry { printf("f0 p1 %d\n", args[1].m1); }
pid$target:a.out:f0:entry { printf("f0 p2 %u %u %d\n", args[2].m1[0], args[2].m1[1], args[2].m3[0]); }
pid$target:a.out:f0:entry { printf("f0 p3 %u\n", args[3]); }
pid$target:a.out:f0:return { printf("f0 r %u\n", args[1]); }
pid$target:a.out:f1:return { printf("f1 r %d\n", args[1]); }
pid$target:a.out:f2:return { printf("f2 r %u\n", args[1]); }
pid$target:a.out:f3:entry { printf("f3 p0 %d %d\n", args[0].m0, args[0].m1); }
pid$target:a.out:f3:entry { printf("f3 p1 %u\n", args[1]); }
pid$target:a.out:f3:entry { printf("f3 p2 %d\n", args[2]); }
pid$target:a.out:f3:return { printf("f3 r %d\n", args[1]); }
pid$target:a.out:f4:entry { printf("f4 p0 %u\n", args[0]); }
pid$target:a.out:f4:entry { printf("f4 p2 %u\n", args[2]); }
pid$target:a.out:f4:entry { printf("f4 p5 %d\n", args[5]); }
pid$target:a.out:f4:entry { printf("f4 p6 %u\n", args[6]); }
pid$target:a.out:f4:entry { printf("f4 p7 %u\n", args[7]); }
pid$target:a.out:f4:entry { printf("f4 p8 %u\n", args[8].m1); }
pid$target:a.out:f4:return { printf("f4 r %d\n", args[1].m1); }
pid$target:a.out:f5:entry { printf("f5 p0 %u %d %d %d\n", args[0].m0[0], args[0].m1.m0[0], args[0].m1.m0[1], args[0].m1.m0[2]); }
pid$target:a.out:f5:entry { printf("f5 p1 %d\n", args[1]); }
pid$target:a.out:f5:return { printf("f5 r %d\n", args[1]); }
pid$target:a.out:f6:entry { printf("f6 p0 %u %d %d %d\n", args[0].m0[0], args[0].m1.m0[0], args[0].m1.m0[1], args[0].m1.m0[2]); }
pid$target:a.out:f6:entry { printf("f6 p1 %d\n", args[1]); }
pid$target:a.out:f6:entry { printf("f6 p2 %d\n", args[2]); }
pid$target:a.out:f6:entry { printf("f6 p4 %u\n", args[4]); }
pid$target:a.out:f6:entry { printf("f6 p5 %d\n", args[5].m1); }
pid$target:a.out:f6:return { printf("f6 r %d\n", args[1]); }
pid$target:a.out:f7:entry { printf("f7 p0 %d\n", args[0]); }
pid$target:a.out:f7:entry { printf("f7 p1 %u\n", args[1]); }
pid$target:a.out:f7:entry { printf("f7 p2 %d %d %d\n", args[2].m0[0], args[2].m0[1], args[2].m0[2]); }
pid$target:a.out:f7:return { printf("f7 r %d\n", args[1]); }
pid$target:a.out:f8:entry { printf("f8 p0 %d\n", args[0]); }
pid$target:a.out:f8:entry { printf("f8 p1 %u\n", args[1]); }
pid$target:a.out:f8:entry { printf("f8 p2 %u\n", args[2]); }
pid$target:a.out:f8:return { printf("f8 r %d\n", args[1]); }
pid$target:a.out:f9:entry { printf("f9 p0 %u %d %d %d\n", args[0]->m0[0], args[0]->m1.m0[0], args[0]->m1.m0[1], args[0]->m1.m0[2]); }
pid$target:a.out:f9:entry { printf("f9 p1 %d\n", args[1]); }
pid$target:a.out:f9:entry { printf("f9 p2 %u\n", args[2]); }
pid$target:a.out:f9:entry { printf("f9 p3 %u\n", args[3]); }
pid$target:a.out:f9:entry { printf("f9 p4 %d\n", args[4]->m0[0]); }
pid$target:a.out:f9:return { printf("f9 r %u\n", args[1]); }
pid$target:a.out:f10:entry { printf("f10 p0 %u %u %u %u %u %u\n", args[0]->m0[0], args[0]->m0[1], args[0]->m0[2], args[0]->m1, args[0]->m2[0], args[0]->m2[1]); }
pid$target:a.out:f10:entry { printf("f10 p1 %d\n", args[1]); }
pid$target:a.out:f10:entry { printf("f10 p2 %u\n", args[2]); }
pid$target:a.out:f10:entry { printf("f10 p3 %d\n", args[3]); }
pid$target:a.out:f10:entry { printf("f10 p4 %u\n", args[4]); }
pid$target:a.out:f10:return { printf("f10 r %d\n", args[1]); }
pid$target:a.out:f11:entry { printf("f11 p0 %d\n", args[0].m0[0]); }
pid$target:a.out:f11:entry { printf("f11 p1 %u\n", args[1]); }
pid$target:a.out:f11:entry { printf("f11 p2 %d\n", args[2]); }
pid$target:a.out:f11:entry { printf("f11 p3 %u %u %u %u %u %u\n", args[3].m0[0], args[3].m0[1], args[3].m0[2], args[3].m1, args[3].m2[0], args[3].m2[1]); }
pid$target:a.out:f11:entry { printf("f11 p4 %d\n", args[4]); }
pid$target:a.out:f11:return { printf("f11 r %u\n", args[1]); }
pid$target:a.out:f12:entry { printf("f12 p1 %u\n", args[1].m1); }
pid$target:a.out:f12:return { printf("f12 r %u %u %u %u %u %u\n", args[1].m0[0], args[1].m0[1], args[1].m0[2], args[1].m1, args[1].m2[0], args[1].m2[1]); }
pid$target:a.out:f13:entry { printf("f13 p0 %u\n", args[0]); }
pid$target:a.out:f13:entry { printf("f13 p2 %d %d\n", args[2]->m0, args[2]->m1); }
pid$target:a.out:f13:entry { printf("f13 p3 %d\n", args[3]); }
pid$target:a.out:f13:entry { printf("f13 p5 %u\n", args[5]); }
pid$target:a.out:f13:entry { printf("f13 p6 %d %d %d\n", args[6]->m0[0], args[6]->m0[1], args[6]->m0[2]); }
pid$target:a.out:f13:return { printf("f13 r %u %u %d\n", args[1].m1[0], args[1].m1[1], args[1].m3[0]); }
pid$target:a.out:f14:entry { printf("f14 p0 %u\n", args[0]); }
pid$target:a.out:f14:entry { printf("f14 p2 %u %d %d %d\n", args[2]->m0[0], args[2]->m1.m0[0], args[2]->m1.m0[1], args[2]->m1.m0[2]); }
pid$target:a.out:f14:entry { printf("f14 p3 %u\n", args[3]); }
pid$target:a.out:f14:entry { printf("f14 p4 %u %u %u %u %u %u\n", args[4]->m0[0], args[4]->m0[1], args[4]->m0[2], args[4]->m1, args[4]->m2[0], args[4]->m2[1]); }
pid$target:a.out:f14:entry { printf("f14 p5 %u\n", args[5]); }
pid$target:a.out:f14:entry { printf("f14 p6 %d\n", args[6]); }
pid$target:a.out:f14:entry { printf("f14 p7 %d\n", args[7]); }
pid$target:a.out:f14:entry { printf("f14 p8 %u %u %u %u %u %u\n", args[8].m0[0], args[8].m0[1], args[8].m0[2], args[8].m1, args[8].m2[0], args[8].m2[1]); }
pid$target:a.out:f14:return { printf("f14 r %d\n", args[1]); }
pid$target:a.out:f15:entry { printf("f15 p0 %d\n", args[0]); }
pid$target:a.out:f15:entry { printf("f15 p1 %d\n", args[1].m0[0]); }
pid$target:a.out:f15:entry { printf("f15 p2 %u\n", args[2]); }
pid$target:a.out:f15:entry { printf("f15 p3 %u %u %d\n", args[3].m1[0], args[3].m1[1], args[3].m3[0]); }
pid$target:a.out:f15:entry { printf("f15 p6 %d\n", args[6]); }
pid$target:a.out:f15:return { printf("f15 r %u\n", args[1]); }
pid$target:a.out:f16:entry { printf("f16 p0 %d %d\n", args[0].m0, args[0].m1); }
pid$target:a.out:f16:entry { printf("f16 p2 %u\n", args[2]); }
pid$target:a.out:f16:entry { printf("f16 p3 %u\n", args[3]); }
pid$target:a.out:f16:entry { printf("f16 p4 %d\n", args[4]); }
pid$target:a.out:f16:entry { printf("f16 p5 %d\n", args[5]); }
pid$target:a.out:f16:return { printf("f16 r %d\n", args[1]); }
pid$target:a.out:f17:entry { printf("f17 p0 %u %u %u %d %d %u %u %d\n", args[0]->m0[0], args[0]->m0[1], args[0]->m1, args[0]->m2, args[0]->m3, args[0]->m4[0], args[0]->m4[1], args[0]->m5[0]); }
pid$target:a.out:f17:entry { printf("f17 p1 %u\n", args[1]); }
pid$target:a.out:f18:entry { printf("f18 p0 %u\n", args[0]); }
pid$target:a.out:f18:entry { printf("f18 p1 %d\n", args[1]->m1); }
pid$target:a.out:f18:entry { printf("f18 p3 %u\n", args[3]); }
pid$target:a.out:f18:entry { printf("f18 p4 %u %d %d %d\n", args[4].m0[0], args[4].m1.m0[0], args[4].m1.m0[1], args[4].m1.m0[2]); }
pid$target:a.out:f18:entry { printf("f18 p5 %d\n", args[5]); }
pid$target:a.out:f18:entry { printf("f18 p6 %d\n", args[6]); }
pid$target:a.out:f18:entry { printf("f18 p7 %d\n", args[7]); }
pid$target:a.out:f18:return { printf("f18 r %u\n", args[1]); }
pid$target:a.out:f19:entry { printf("f19 p0 %u %d %d %d\n", args[0].m0[0], args[0].m1.m0[0], args[0].m1.m0[1], args[0].m1.m0[2]); }
pid$target:a.out:f19:entry { printf("f19 p1 %d\n", args[1]); }
pid$target:a.out:f19:entry { printf("f19 p3 %u\n", args[3]); }
pid$target:a.out:f19:entry { printf("f19 p4 %d %d\n", args[4]->m0, args[4]->m1); }
pid$target:a.out:f19:entry { printf("f19 p5 %u %d %d %d\n", args[5].m0[0], args[5].m1.m0[0], args[5].m1.m0[1], args[5].m1.m0[2]); }
pid$target:a.out:f19:return { printf("f19 r %u\n", args[1]); }
pid$target:a.out:f20:entry { printf("f20 p0 %u %u %u %u %u %u\n", args[0].m0[0], args[0].m0[1], args[0].m0[2], args[0].m1, args[0].m2[0], args[0].m2[1]); }
pid$target:a.out:f20:entry { printf("f20 p1 %u\n", args[1].m1); }
pid$target:a.out:f20:entry { printf("f20 p2 %d\n", args[2]); }
pid$target:a.out:f20:entry { printf("f20 p3 %u %d %d %d\n", args[3].m0[0], args[3].m1.m0[0], args[3].m1.m0[1], args[3].m1.m0[2]); }
pid$target:a.out:f20:entry { printf("f20 p5 %d\n", args[5]); }
pid$target:a.out:f20:return { printf("f20 r %d\n", args[1]); }
pid$target:a.out:f21:entry { printf("f21 p0 %u %u %u %d %d %u %u %d\n", args[0].m0[0], args[0].m0[1], args[0].m1, args[0].m2, args[0].m3, args[0].m4[0], args[0].m4[1], args[0].m5[0]); }
pid$target:a.out:f21:entry { printf("f21 p1 %u %d %d %d\n", args[1]->m0[0], args[1]->m1.m0[0], args[1]->m1.m0[1], args[1]->m1.m0[2]); }
pid$target:a.out:f21:entry { printf("f21 p2 %u\n", args[2]); }
pid$target:a.out:f21:entry { printf("f21 p3 %u %u %d\n", args[3].m1[0], args[3].m1[1], args[3].m3[0]); }
pid$target:a.out:f21:entry { printf("f21 p4 %d %d\n", args[4].m0, args[4].m1); }
pid$target:a.out:f22:entry { printf("f22 p0 %u\n", args[0]); }
pid$target:a.out:f22:entry { printf("f22 p1 %u\n", args[1]); }
pid$target:a.out:f22:entry { printf("f22 p2 %u %u %u %u %u %u\n", args[2].m0[0], args[2].m0[1], args[2].m0[2], args[2].m1, args[2].m2[0], args[2].m2[1]); }
pid$target:a.out:f22:entry { printf("f22 p4 %u\n", args[4]); }
pid$target:a.out:f22:entry { printf("f22 p5 %d\n", args[5]->m0[0]); }
pid$target:a.out:f22:entry { printf("f22 p6 %u\n", args[6]); }
pid$target:a.out:f22:entry { printf("f22 p7 %u\n", args[7]); }
pid$target:a.out:f23:entry { printf("f23 p0 %u %u %u %d %d %u %u %d\n", args[0].m0[0], args[0].m0[1], args[0].m1, args[0].m2, args[0].m3, args[0].m4[0], args[0].m4[1], args[0].m5[0]); }
pid$target:a.out:f23:entry { printf("f23 p1 %u\n", args[1]); }
pid$target:a.out:f23:entry { printf("f23 p2 %d\n", args[2]->m0[0]); }
pid$target:a.out:f23:entry { printf("f23 p3 %d %d %d\n", args[3].m0[0], args[3].m0[1], args[3].m0[2]); }
pid$target:a.out:f23:entry { printf("f23 p4 %d\n", args[4]); }
pid$target:a.out:f23:entry { printf("f23 p5 %d\n", args[5]); }
pid$target:a.out:f23:entry { printf("f23 p6 %d\n", args[6]); }
pid$target:a.out:f23:entry { printf("f23 p7 %d\n", args[7].m0[0]); }
pid$target:a.out:f23:entry { printf("f23 p8 %d\n", args[8]); }
pid$target:a.out:f23:return { printf("f23 r %d\n", args[1]); }
pid$target:a.out:f24:entry { printf("f24 p0 %d %d\n", args[0].m0, args[0].m1); }
pid$target:a.out:f24:entry { printf("f24 p1 %u\n", args[1]); }
pid$target:a.out:f24:entry { printf("f24 p2 %u\n", args[2]); }
pid$target:a.out:f24:entry { printf("f24 p3 %u\n", args[3]); }
pid$target:a.out:f24:entry { printf("f24 p4 %u %u %u %d %d %u %u %d\n", args[4].m0[0], args[4].m0[1], args[4].m1, args[4].m2, args[4].m3, args[4].m4[0], args[4].m4[1], args[4].m5[0]); }
pid$target:a.out:f24:entry { printf("f24 p5 %u\n", args[5]); }
pid$target:a.out:f24:entry { printf("f24 p6 %u %d %d %d\n", args[6].m0[0], args[6].m1.m0[0], args[6].m1.m0[1], args[6].m1.m0[2]); }
pid$target:a.out:f24:entry { printf("f24 p7 %d\n", args[7].m1); }
pid$target:a.out:f24:return { printf("f24 r %u\n", args[1]); }
pid$target:a.out:f25:entry { printf("f25 p0 %d\n", args[0]); }
pid$target:a.out:f25:entry { printf("f25 p1 %u\n", args[1]); }
pid$target:a.out:f25:entry { printf("f25 p2 %d\n", args[2]); }
pid$target:a.out:f25:entry { printf("f25 p3 %u %d %d %d\n", args[3].m0[0], args[3].m1.m0[0], args[3].m1.m0[1], args[3].m1.m0[2]); }
pid$target:a.out:f25:entry { printf("f25 p4 %d\n", args[4]); }
pid$target:a.out:f25:return { printf("f25 r %d\n", args[1]); }
pid$target:a.out:f26:entry { printf("f26 p0 %d\n", args[0]); }
pid$target:a.out:f26:entry { printf("f26 p1 %u\n", args[1].m1); }
pid$target:a.out:f26:entry { printf("f26 p2 %d %d\n", args[2].m0, args[2].m1); }
pid$target:a.out:f26:entry { printf("f26 p3 %u\n", args[3]); }
pid$target:a.out:f26:entry { printf("f26 p4 %d %d %d\n", args[4]->m0[0], args[4]->m0[1], args[4]->m0[2]); }
pid$target:a.out:f26:return { printf("f26 r %u\n", args[1]); }
pid$target:a.out:f27:entry { printf("f27 p0 %u %u %u %u %u %u\n", args[0]->m0[0], args[0]->m0[1], args[0]->m0[2], args[0]->m1, args[0]->m2[0], args[0]->m2[1]); }
pid$target:a.out:f27:entry { printf("f27 p1 %u\n", args[1]); }
pid$target:a.out:f27:return { printf("f27 r %u %d %d %d\n", args[1].m0[0], args[1].m1.m0[0], args[1].m1.m0[1], args[1].m1.m0[2]); }
pid$target:a.out:f28:entry { printf("f28 p0 %d\n", args[0]); }
pid$target:a.out:f28:return { printf("f28 r %u %u %u %u %u %u\n", args[1].m0[0], args[1].m0[1], args[1].m0[2], args[1].m1, args[1].m2[0], args[1].m2[1]); }
pid$target:a.out:f29:entry { printf("f29 p0 %d\n", args[0]); }
pid$target:a.out:f29:entry { printf("f29 p1 %d\n", args[1]); }
pid$target:a.out:f30:entry { printf("f30 p0 %d\n", args[0]->m1); }
pid$target:a.out:f30:return { printf("f30 r %d\n", args[1]); }
pid$target:a.out:f31:entry { printf("f31 p1 %d\n", args[1].m0[0]); }
pid$target:a.out:f31:entry { printf("f31 p3 %d\n", args[3]); }
pid$target:a.out:f31:entry { printf("f31 p4 %u\n", args[4]); }
pid$target:a.out:f31:return { printf("f31 r %d\n", args[1]); }
pid$target:a.out:f32:entry { printf("f32 p0 %u %u %u %d %d %u %u %d\n", args[0]->m0[0], args[0]->m0[1], args[0]->m1, args[0]->m2, args[0]->m3, args[0]->m4[0], args[0]->m4[1], args[0]->m5[0]); }
pid$target:a.out:f32:entry { printf("f32 p1 %u\n", args[1]); }
pid$target:a.out:f32:return { printf("f32 r %u\n", args[1]); }
pid$target:a.out:f33:entry { printf("f33 p0 %d\n", args[0]); }
pid$target:a.out:f33:entry { printf("f33 p1 %d\n", args[1]); }
pid$target:a.out:f33:entry { printf("f33 p3 %u\n", args[3]); }
pid$target:a.out:f33:entry { printf("f33 p4 %u %u %u %d %d %u %u %d\n", args[4].m0[0], args[4].m0[1], args[4].m1, args[4].m2, args[4].m3, args[4].m4[0], args[4].m4[1], args[4].m5[0]); }
pid$target:a.out:f33:entry { printf("f33 p5 %u %u %u %u %u %u\n", args[5]->m0[0], args[5]->m0[1], args[5]->m0[2], args[5]->m1, args[5]->m2[0], args[5]->m2[1]); }
pid$target:a.out:f33:entry { printf("f33 p6 %d\n", args[6]); }
pid$target:a.out:f33:return { printf("f33 r %d\n", args[1]); }
pid$target:a.out:f34:entry { printf("f34 p0 %u %u %d\n", args[0].m1[0], args[0].m1[1], args[0].m3[0]); }
pid$target:a.out:f34:entry { printf("f34 p1 %u\n", args[1]); }
pid$target:a.out:f34:entry { printf("f34 p3 %u %u %u %d %d %u %u %d\n", args[3]->m0[0], args[3]->m0[1], args[3]->m1, args[3]->m2, args[3]->m3, args[3]->m4[0], args[3]->m4[1], args[3]->m5[0]); }
pid$target:a.out:f34:return { printf("f34 r %u\n", args[1]); }
pid$target:a.out:f35:entry { printf("f35 p0 %d\n", args[0]); }
pid$target:a.out:f35:entry { printf("f35 p1 %d %d %u\n", args[1].m0, args[1].m1, args[1].m3); }
pid$target:a.out:f35:entry { printf("f35 p2 %d\n", args[2]); }
pid$target:a.out:f35:entry { printf("f35 p3 %d\n", args[3]); }
pid$target:a.out:f35:entry { printf("f35 p4 %d %d %u\n", args[4]->m0, args[4]->m1, args[4]->m3); }
pid$target:a.out:f35:entry { printf("f35 p5 %d\n", args[5].m1); }
pid$target:a.out:f35:return { printf("f35 r %d\n", args[1]); }
pid$target:a.out:f36:entry { printf("f36 p0 %d\n", args[0]); }
pid$target:a.out:f36:entry { printf("f36 p2 %d %d %d\n", args[2].m0[0], args[2].m0[1], args[2].m0[2]); }
pid$target:a.out:f36:return { printf("f36 r %u %u %u %d %d %u %u %d\n", args[1].m0[0], args[1].m0[1], args[1].m1, args[1].m2, args[1].m3, args[1].m4[0], args[1].m4[1], args[1].m5[0]); }
pid$target:a.out:f37:entry { printf("f37 p0 %d\n", args[0]); }
pid$target:a.out:f37:entry { printf("f37 p1 %u\n", args[1]->m1); }
pid$target:a.out:f37:return { printf("f37 r %d\n", args[1].m0[0]); }
pid$target:a.out:f38:entry { printf("f38 p0 %d\n", args[0]); }
pid$target:a.out:f38:entry { printf("f38 p1 %u %d %d %d\n", args[1]->m0[0], args[1]->m1.m0[0], args[1]->m1.m0[1], args[1]->m1.m0[2]); }
pid$target:a.out:f38:return { printf("f38 r %u %u %u %d %d %u %u %d\n", args[1].m0[0], args[1].m0[1], args[1].m1, args[1].m2, args[1].m3, args[1].m4[0], args[1].m4[1], args[1].m5[0]); }
pid$target:a.out:f39:entry { printf("f39 p0 %d\n", args[0].m1); }
pid$target:a.out:f39:entry { printf("f39 p1 %d\n", args[1]); }
pid$target:a.out:f39:entry { printf("f39 p2 %u %u %u %u %u %u\n", args[2]->m0[0], args[2]->m0[1], args[2]->m0[2], args[2]->m1, args[2]->m2[0], args[2]->m2[1]); }
pid$target:a.out:f39:entry { printf("f39 p3 %u\n", args[3]); }
pid$target:a.out:f39:entry { printf("f39 p4 %u %d %d %d\n", args[4].m0[0], args[4].m1.m0[0], args[4].m1.m0[1], args[4].m1.m0[2]); }
pid$target:a.out:f39:return { printf("f39 r %u\n", args[1].m1); }
pid$target:a.out:f40:entry { printf("f40 p0 %d\n", args[0]); }
pid$target:a.out:f40:entry { printf("f40 p1 %u %u %u %d %d %u %u %d\n", args[1]->m0[0], args[1]->m0[1], args[1]->m1, args[1]->m2, args[1]->m3, args[1]->m4[0], args[1]->m4[1], args[1]->m5[0]); }
pid$target:a.out:f40:entry { printf("f40 p2 %d\n", args[2]); }
pid$target:a.out:f40:return { printf("f40 r %u %u %u %u %u %u\n", args[1].m0[0], args[1].m0[1], args[1].m0[2], args[1].m1, args[1].m2[0], args[1].m2[1]); }
pid$target:a.out:f41:entry { printf("f41 p0 %u\n", args[0]); }
pid$target:a.out:f41:entry { printf("f41 p1 %d\n", args[1].m0[0]); }
pid$target:a.out:f41:entry { printf("f41 p2 %d\n", args[2]); }
pid$target:a.out:f41:entry { printf("f41 p3 %u\n", args[3]); }
pid$target:a.out:f41:entry { printf("f41 p4 %d %d %d\n", args[4]->m0[0], args[4]->m0[1], args[4]->m0[2]); }
pid$target:a.out:f41:entry { printf("f41 p5 %u\n", args[5]); }
pid$target:a.out:f41:entry { printf("f41 p6 %u\n", args[6]); }
pid$target:a.out:f41:entry { printf("f41 p7 %u\n", args[7]); }
pid$target:a.out:f41:entry { printf("f41 p8 %u\n", args[8]); }
pid$target:a.out:f41:return { printf("f41 r %u\n", args[1]); }
pid$target:a.out:f42:entry { printf("f42 p1 %u\n", args[1]); }
pid$target:a.out:f42:entry { printf("f42 p2 %d\n", args[2].m1); }
pid$target:a.out:f42:return { printf("f42 r %d\n", args[1]); }
pid$target:a.out:f43:entry { printf("f43 p0 %u\n", args[0]); }
pid$target:a.out:f43:entry { printf("f43 p1 %u\n", args[1]); }
pid$target:a.out:f43:entry { printf("f43 p2 %u\n", args[2]); }
pid$target:a.out:f43:entry { printf("f43 p3 %d\n", args[3]); }
pid$target:a.out:f43:entry { printf("f43 p4 %d\n", args[4]); }
pid$target:a.out:f43:entry { printf("f43 p6 %d\n", args[6]); }
pid$target:a.out:f43:return { printf("f43 r %u %d %d %d\n", args[1].m0[0], args[1].m1.m0[0], args[1].m1.m0[1], args[1].m1.m0[2]); }
pid$target:a.out:f44:entry { printf("f44 p0 %d %d\n", args[0]->m0, args[0]->m1); }
pid$target:a.out:f44:return { printf("f44 r %u\n", args[1]); }
pid$target:a.out:f45:entry { printf("f45 p0 %d %d %d\n", args[0].m0[0], args[0].m0[1], args[0].m0[2]); }
pid$target:a.out:f45:entry { printf("f45 p1 %d %d %u\n", args[1].m0, args[1].m1, args[1].m3); }
pid$target:a.out:f45:entry { printf("f45 p2 %d %d %d\n", args[2]->m0[0], args[2]->m0[1], args[2]->m0[2]); }
pid$target:a.out:f45:entry { printf("f45 p3 %u %u %u %u %u %u\n", args[3].m0[0], args[3].m0[1], args[3].m0[2], args[3].m1, args[3].m2[0], args[3].m2[1]); }
pid$target:a.out:f45:return { printf("f45 r %u\n", args[1]); }
pid$target:a.out:f46:entry { printf("f46 p0 %u\n", args[0]); }
pid$target:a.out:f46:entry { printf("f46 p1 %d %d\n", args[1]->m0, args[1]->m1); }
pid$target:a.out:f46:entry { printf("f46 p2 %d\n", args[2]); }
pid$target:a.out:f46:return { printf("f46 r %u\n", args[1]); }
pid$target:a.out:f47:entry { printf("f47 p0 %u %u %u %d %d %u %u %d\n", args[0].m0[0], args[0].m0[1], args[0].m1, args[0].m2, args[0].m3, args[0].m4[0], args[0].m4[1], args[0].m5[0]); }
pid$target:a.out:f47:entry { printf("f47 p1 %u %u %u %d %d %u %u %d\n", args[1].m0[0], args[1].m0[1], args[1].m1, args[1].m2, args[1].m3, args[1].m4[0], args[1].m4[1], args[1].m5[0]); }
pid$target:a.out:f47:entry { printf("f47 p2 %u %u %d\n", args[2].m1[0], args[2].m1[1], args[2].m3[0]); }
pid$target:a.out:f47:entry { printf("f47 p3 %u %d %d %d\n", args[3].m0[0], args[3].m1.m0[0], args[3].m1.m0[1], args[3].m1.m0[2]); }
pid$target:a.out:f47:return { printf("f47 r %d\n", args[1]); }
pid$target:a.out:f48:entry { printf("f48 p0 %u\n", args[0]); }
pid$target:a.out:f48:entry { printf("f48 p2 %d\n", args[2]); }
pid$target:a.out:f48:entry { printf("f48 p3 %u %u %u %u %u %u\n", args[3].m0[0], args[3].m0[1], args[3].m0[2], args[3].m1, args[3].m2[0], args[3].m2[1]); }
pid$target:a.out:f48:entry { printf("f48 p4 %d\n", args[4]); }
pid$target:a.out:f48:entry { printf("f48 p6 %d\n", args[6]); }
pid$target:a.out:f48:return { printf("f48 r %d %d %u\n", args[1].m0, args[1].m1, args[1].m3); }
pid$target:a.out:f49:entry { printf("f49 p0 %d\n", args[0]); }
pid$target:a.out:f49:entry { printf("f49 p1 %d\n", args[1]); }
pid$target:a.out:f49:entry { printf("f49 p2 %u %u %u %d %d %u %u %d\n", args[2].m0[0], args[2].m0[1], args[2].m1, args[2].m2, args[2].m3, args[2].m4[0], args[2].m4[1], args[2].m5[0]); }
pid$target:a.out:f49:return { printf("f49 r %u\n", args[1]); }
pid$target:a.out:f50:entry { printf("f50 p1 %u %u %u %d %d %u %u %d\n", args[1]->m0[0], args[1]->m0[1], args[1]->m1, args[1]->m2, args[1]->m3, args[1]->m4[0], args[1]->m4[1], args[1]->m5[0]); }
pid$target:a.out:f50:entry { printf("f50 p2 %d %d %u\n", args[2].m0, args[2].m1, args[2].m3); }
pid$target:a.out:f50:entry { printf("f50 p3 %u\n", args[3].m1); }
pid$target:a.out:f50:entry { printf("f50 p5 %u\n", args[5]); }
pid$target:a.out:f50:entry { printf("f50 p6 %d %d\n", args[6]->m0, args[6]->m1); }
pid$target:a.out:f50:entry { printf("f50 p7 %u %u %u %d %d %u %u %d\n", args[7].m0[0], args[7].m0[1], args[7].m1, args[7].m2, args[7].m3, args[7].m4[0], args[7].m4[1], args[7].m5[0]); }
pid$target:a.out:f50:return { printf("f50 r %u\n", args[1]); }
pid$target:a.out:f51:entry { printf("f51 p2 %u\n", args[2]); }
pid$target:a.out:f51:entry { printf("f51 p3 %u %u %u %d %d %u %u %d\n", args[3].m0[0], args[3].m0[1], args[3].m1, args[3].m2, args[3].m3, args[3].m4[0], args[3].m4[1], args[3].m5[0]); }
pid$target:a.out:f51:entry { printf("f51 p5 %u\n", args[5]); }
pid$target:a.out:f51:entry { printf("f51 p6 %u %u %u %d %d %u %u %d\n", args[6].m0[0], args[6].m0[1], args[6].m1, args[6].m2, args[6].m3, args[6].m4[0], args[6].m4[1], args[6].m5[0]); }
pid$target:a.out:f51:return { printf("f51 r %u\n", args[1]); }
pid$target:a.out:f52:entry { printf("f52 p0 %d\n", args[0]); }
pid$target:a.out:f52:entry { printf("f52 p1 %d %d\n", args[1].m0, args[1].m1); }
pid$target:a.out:f52:entry { printf("f52 p2 %d %d %u\n", args[2].m0, args[2].m1, args[2].m3); }
pid$target:a.out:f52:entry { printf("f52 p3 %u\n", args[3]); }
pid$target:a.out:f52:entry { printf("f52 p4 %d %d %u\n", args[4].m0, args[4].m1, args[4].m3); }
pid$target:a.out:f52:entry { printf("f52 p5 %u\n", args[5].m1); }
pid$target:a.out:f52:entry { printf("f52 p6 %d\n", args[6]); }
pid$target:a.out:f52:entry { printf("f52 p7 %u\n", args[7]); }
pid$target:a.out:f52:return { printf("f52 r %u\n", args[1]); }
pid$target:a.out:f53:entry { printf("f53 p0 %d %d\n", args[0]->m0, args[0]->m1); }
pid$target:a.out:f53:entry { printf("f53 p1 %u %u %d\n", args[1]->m1[0], args[1]->m1[1], args[1]->m3[0]); }
pid$target:a.out:f53:entry { printf("f53 p3 %d\n", args[3].m0[0]); }
pid$target:a.out:f53:entry { printf("f53 p4 %u\n", args[4]); }
pid$target:a.out:f53:entry { printf("f53 p5 %u %u %u %d %d %u %u %d\n", args[5].m0[0], args[5].m0[1], args[5].m1, args[5].m2, args[5].m3, args[5].m4[0], args[5].m4[1], args[5].m5[0]); }
pid$target:a.out:f53:return { printf("f53 r %u\n", args[1]); }
pid$target:a.out:f54:entry { printf("f54 p0 %u\n", args[0]); }
pid$target:a.out:f54:entry { printf("f54 p1 %d\n", args[1]->m0[0]); }
pid$target:a.out:f54:entry { printf("f54 p2 %u %u %u %d %d %u %u %d\n", args[2]->m0[0], args[2]->m0[1], args[2]->m1, args[2]->m2, args[2]->m3, args[2]->m4[0], args[2]->m4[1], args[2]->m5[0]); }
pid$target:a.out:f54:entry { printf("f54 p3 %u %u %d\n", args[3].m1[0], args[3].m1[1], args[3].m3[0]); }
pid$target:a.out:f54:entry { printf("f54 p5 %u\n", args[5]); }
pid$target:a.out:f54:entry { printf("f54 p6 %u\n", args[6]); }
pid$target:a.out:f54:entry { printf("f54 p7 %d %d %u\n", args[7].m0, args[7].m1, args[7].m3); }
pid$target:a.out:f54:return { printf("f54 r %u\n", args[1]); }
pid$target:a.out:f55:entry { printf("f55 p0 %u\n", args[0]); }
pid$target:a.out:f55:entry { printf("f55 p1 %u\n", args[1]); }
pid$target:a.out:f55:entry { printf("f55 p2 %d\n", args[2]); }
pid$target:a.out:f55:entry { printf("f55 p4 %u\n", args[4]); }
pid$target:a.out:f55:entry { printf("f55 p5 %u\n", args[5]); }
pid$target:a.out:f55:entry { printf("f55 p7 %u %u %u %u %u %u\n", args[7].m0[0], args[7].m0[1], args[7].m0[2], args[7].m1, args[7].m2[0], args[7].m2[1]); }
pid$target:a.out:f55:entry { printf("f55 p8 %u\n", args[8]); }
pid$target:a.out:f55:return { printf("f55 r %d\n", args[1]); }
pid$target:a.out:f56:entry { printf("f56 p0 %u\n", args[0]); }
pid$target:a.out:f56:entry { printf("f56 p1 %d %d\n", args[1]->m0, args[1]->m1); }
pid$target:a.out:f56:entry { printf("f56 p2 %d\n", args[2]); }
pid$target:a.out:f56:return { printf("f56 r %u\n", args[1].m1); }
pid$target:a.out:f57:entry { printf("f57 p0 %d\n", args[0].m0[0]); }
pid$target:a.out:f57:entry { printf("f57 p3 %u\n", args[3]); }
pid$target:a.out:f57:entry { printf("f57 p4 %d\n", args[4]); }
pid$target:a.out:f57:entry { printf("f57 p5 %d\n", args[5]->m0[0]); }
pid$target:a.out:f57:return { printf("f57 r %u\n", args[1]); }
pid$target:a.out:f58:entry { printf("f58 p0 %d\n", args[0]); }
pid$target:a.out:f58:entry { printf("f58 p2 %d\n", args[2]); }
pid$target:a.out:f58:entry { printf("f58 p3 %u\n", args[3]); }
pid$target:a.out:f58:entry { printf("f58 p4 %u\n", args[4].m1); }
pid$target:a.out:f58:return { printf("f58 r %d\n", args[1]); }
pid$target:a.out:f59:entry { printf("f59 p0 %d\n", args[0]); }
pid$target:a.out:f59:entry { printf("f59 p2 %u %u %u %u %u %u\n", args[2]->m0[0], args[2]->m0[1], args[2]->m0[2], args[2]->m1, args[2]->m2[0], args[2]->m2[1]); }
pid$target:a.out:f59:entry { printf("f59 p4 %u\n", args[4]); }
pid$target:a.out:f59:entry { printf("f59 p5 %u %u %d\n", args[5].m1[0], args[5].m1[1], args[5].m3[0]); }
pid$target:a.out:f59:return { printf("f59 r %u\n", args[1]); }
