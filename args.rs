#![allow(warnings)]
use std::hint::black_box;
use std::fmt::Write;
#[derive(Clone, Copy)] pub struct S0 { m0: f32, m1: i64 }
#[derive(Clone, Copy)] pub struct S1 { m0: i8, m1: i16 }
#[derive(Clone, Copy)] pub struct S2 { m0: f32 }
#[derive(Clone, Copy)] pub struct S3 { m0: [u32; 2], m1: u64, m2: i32, m3: i8, m4: [u8; 2], m5: [i32; 1] }
#[derive(Clone, Copy)] pub struct S4 { m0: S2, m1: [u64; 2], m2: S2, m3: [i64; 1] }
#[derive(Clone, Copy)] pub struct S5 { m0: i64, m1: i8, m2: f64, m3: u8 }
#[derive(Clone, Copy)] pub struct S6 { m0: f64, m1: u8 }
#[derive(Clone, Copy)] pub struct S7 { m0: f64 }
#[derive(Clone, Copy)] pub struct S8 { m0: [u64; 3], m1: u32, m2: [u8; 2] }
#[derive(Clone, Copy)] pub struct S9 { m0: [i64; 1] }
#[derive(Clone, Copy)] pub struct S10 { m0: [i16; 3] }
#[derive(Clone, Copy)] pub struct S11 { m0: [u32; 1], m1: S10 }
#[no_mangle] #[inline(never)] pub fn f0(p0: i32, p1: S0, p2: S4, p3: u64) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f0 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f0 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m1[0]);
	write!(s, " {}", p2.m1[1]);
	write!(s, " {}", p2.m3[0]);
	println!("f0 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f0 p3{}", s);
	let res = black_box((18446744073709551613u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f0 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f1(p0: S2) -> i8 {
	let mut s = String::new();
	println!("f1 p0{}", s);
	let res = black_box((-1i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f1 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f2(p0: &S2) -> u32 {
	let mut s = String::new();
	println!("f2 p0{}", s);
	let res = black_box((2u32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f2 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f3(p0: S1, p1: u16, p2: i16, p3: &S7) -> i16 {
	let mut s = String::new();
	write!(s, " {}", p0.m0);
	write!(s, " {}", p0.m1);
	println!("f3 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f3 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f3 p2{}", s);
	let mut s = String::new();
	println!("f3 p3{}", s);
	let res = black_box((-2i16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f3 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f4(p0: u16, p1: f32, p2: u32, p3: &S2, p4: S2, p5: i8, p6: u8, p7: u64, p8: S6) -> S0 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f4 p0{}", s);
	let mut s = String::new();
	println!("f4 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f4 p2{}", s);
	let mut s = String::new();
	println!("f4 p3{}", s);
	let mut s = String::new();
	println!("f4 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f4 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f4 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f4 p7{}", s);
	let mut s = String::new();
	write!(s, " {}", p8.m1);
	println!("f4 p8{}", s);
	let res = black_box(S0 { m0: (17.0_f32), m1: (-1i64) });
	let mut s = String::new();
	write!(s, " {}", res.m1);
	println!("f4 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f5(p0: S11, p1: i16) -> i8 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m1.m0[0]);
	write!(s, " {}", p0.m1.m0[1]);
	write!(s, " {}", p0.m1.m0[2]);
	println!("f5 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f5 p1{}", s);
	let res = black_box((3i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f5 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f6(p0: S11, p1: i8, p2: i32, p3: &S2, p4: u8, p5: S0) -> i8 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m1.m0[0]);
	write!(s, " {}", p0.m1.m0[1]);
	write!(s, " {}", p0.m1.m0[2]);
	println!("f6 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f6 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f6 p2{}", s);
	let mut s = String::new();
	println!("f6 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f6 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m1);
	println!("f6 p5{}", s);
	let res = black_box((-4i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f6 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f7(p0: i64, p1: u8, p2: S10) -> i8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f7 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f7 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	println!("f7 p2{}", s);
	let res = black_box((0i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f7 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f8(p0: i8, p1: u32, p2: u16) -> i64 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f8 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f8 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f8 p2{}", s);
	let res = black_box((6602271787747215132i64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f8 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f9(p0: &S11, p1: i8, p2: u16, p3: u32, p4: &S9) -> u16 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m1.m0[0]);
	write!(s, " {}", p0.m1.m0[1]);
	write!(s, " {}", p0.m1.m0[2]);
	println!("f9 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f9 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f9 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f9 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	println!("f9 p4{}", s);
	let res = black_box((2u16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f9 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f10(p0: &S8, p1: i32, p2: u8, p3: i64, p4: u32) -> i64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m0[2]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2[0]);
	write!(s, " {}", p0.m2[1]);
	println!("f10 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f10 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f10 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f10 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f10 p4{}", s);
	let res = black_box((5518415913280432001i64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f10 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f11(p0: S9, p1: u64, p2: i8, p3: S8, p4: i32) -> u32 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	println!("f11 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f11 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f11 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m0[2]);
	write!(s, " {}", p3.m1);
	write!(s, " {}", p3.m2[0]);
	write!(s, " {}", p3.m2[1]);
	println!("f11 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f11 p4{}", s);
	let res = black_box((1810974551u32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f11 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f12(p0: f32, p1: S6) -> S8 {
	let mut s = String::new();
	println!("f12 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f12 p1{}", s);
	let res = black_box(S8 { m0: [(16540404364832160825u64), (6987803107280171112u64), (18446744073709551612u64)], m1: (221775693u32), m2: [(144u8), (1u8)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m0[1]);
	write!(s, " {}", res.m0[2]);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m2[0]);
	write!(s, " {}", res.m2[1]);
	println!("f12 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f13(p0: u8, p1: f32, p2: &S1, p3: i64, p4: f32, p5: u8, p6: &S10) -> S4 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f13 p0{}", s);
	let mut s = String::new();
	println!("f13 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0);
	write!(s, " {}", p2.m1);
	println!("f13 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f13 p3{}", s);
	let mut s = String::new();
	println!("f13 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f13 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6.m0[0]);
	write!(s, " {}", p6.m0[1]);
	write!(s, " {}", p6.m0[2]);
	println!("f13 p6{}", s);
	let res = black_box(S4 { m0: S2 { m0: (-19.5_f32) }, m1: [(3u64), (6631136317413637381u64)], m2: S2 { m0: (40.0_f32) }, m3: [(1i64)] });
	let mut s = String::new();
	write!(s, " {}", res.m1[0]);
	write!(s, " {}", res.m1[1]);
	write!(s, " {}", res.m3[0]);
	println!("f13 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f14(p0: u16, p1: S7, p2: &S11, p3: u8, p4: &S8, p5: u16, p6: i8, p7: i32, p8: S8) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f14 p0{}", s);
	let mut s = String::new();
	println!("f14 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m1.m0[0]);
	write!(s, " {}", p2.m1.m0[1]);
	write!(s, " {}", p2.m1.m0[2]);
	println!("f14 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f14 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m0[1]);
	write!(s, " {}", p4.m0[2]);
	write!(s, " {}", p4.m1);
	write!(s, " {}", p4.m2[0]);
	write!(s, " {}", p4.m2[1]);
	println!("f14 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f14 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f14 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f14 p7{}", s);
	let mut s = String::new();
	write!(s, " {}", p8.m0[0]);
	write!(s, " {}", p8.m0[1]);
	write!(s, " {}", p8.m0[2]);
	write!(s, " {}", p8.m1);
	write!(s, " {}", p8.m2[0]);
	write!(s, " {}", p8.m2[1]);
	println!("f14 p8{}", s);
	let res = black_box((-1i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f14 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f15(p0: i32, p1: S9, p2: u8, p3: S4, p4: f32, p5: S2, p6: i64) -> u32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f15 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	println!("f15 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f15 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m1[0]);
	write!(s, " {}", p3.m1[1]);
	write!(s, " {}", p3.m3[0]);
	println!("f15 p3{}", s);
	let mut s = String::new();
	println!("f15 p4{}", s);
	let mut s = String::new();
	println!("f15 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f15 p6{}", s);
	let res = black_box((1u32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f15 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f16(p0: S1, p1: S2, p2: u8, p3: u32, p4: i16, p5: i32) -> i64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0);
	write!(s, " {}", p0.m1);
	println!("f16 p0{}", s);
	let mut s = String::new();
	println!("f16 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f16 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f16 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f16 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f16 p5{}", s);
	let res = black_box((3i64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f16 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f17(p0: &S3, p1: u8) -> S7 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2);
	write!(s, " {}", p0.m3);
	write!(s, " {}", p0.m4[0]);
	write!(s, " {}", p0.m4[1]);
	write!(s, " {}", p0.m5[0]);
	println!("f17 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f17 p1{}", s);
	let res = black_box(S7 { m0: (-222.75_f64) });
	let mut s = String::new();
	println!("f17 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f18(p0: u8, p1: &S0, p2: f64, p3: u64, p4: S11, p5: i8, p6: i8, p7: i16, p8: S2) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f18 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f18 p1{}", s);
	let mut s = String::new();
	println!("f18 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f18 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m1.m0[0]);
	write!(s, " {}", p4.m1.m0[1]);
	write!(s, " {}", p4.m1.m0[2]);
	println!("f18 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f18 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f18 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f18 p7{}", s);
	let mut s = String::new();
	println!("f18 p8{}", s);
	let res = black_box((18446744073709551614u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f18 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f19(p0: S11, p1: i8, p2: f32, p3: u64, p4: &S1, p5: S11) -> u8 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m1.m0[0]);
	write!(s, " {}", p0.m1.m0[1]);
	write!(s, " {}", p0.m1.m0[2]);
	println!("f19 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f19 p1{}", s);
	let mut s = String::new();
	println!("f19 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f19 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0);
	write!(s, " {}", p4.m1);
	println!("f19 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m0[0]);
	write!(s, " {}", p5.m1.m0[0]);
	write!(s, " {}", p5.m1.m0[1]);
	write!(s, " {}", p5.m1.m0[2]);
	println!("f19 p5{}", s);
	let res = black_box((213u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f19 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f20(p0: S8, p1: S6, p2: i64, p3: S11, p4: f64, p5: i32) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m0[2]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2[0]);
	write!(s, " {}", p0.m2[1]);
	println!("f20 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f20 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f20 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m1.m0[0]);
	write!(s, " {}", p3.m1.m0[1]);
	write!(s, " {}", p3.m1.m0[2]);
	println!("f20 p3{}", s);
	let mut s = String::new();
	println!("f20 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f20 p5{}", s);
	let res = black_box((-1i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f20 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f21(p0: S3, p1: &S11, p2: u32, p3: S4, p4: S1) -> S2 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2);
	write!(s, " {}", p0.m3);
	write!(s, " {}", p0.m4[0]);
	write!(s, " {}", p0.m4[1]);
	write!(s, " {}", p0.m5[0]);
	println!("f21 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	write!(s, " {}", p1.m1.m0[0]);
	write!(s, " {}", p1.m1.m0[1]);
	write!(s, " {}", p1.m1.m0[2]);
	println!("f21 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f21 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m1[0]);
	write!(s, " {}", p3.m1[1]);
	write!(s, " {}", p3.m3[0]);
	println!("f21 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0);
	write!(s, " {}", p4.m1);
	println!("f21 p4{}", s);
	let res = black_box(S2 { m0: (-47.75_f32) });
	let mut s = String::new();
	println!("f21 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f22(p0: u16, p1: u32, p2: S8, p3: S2, p4: u8, p5: &S9, p6: u8, p7: u8) -> S7 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f22 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f22 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m2[0]);
	write!(s, " {}", p2.m2[1]);
	println!("f22 p2{}", s);
	let mut s = String::new();
	println!("f22 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f22 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m0[0]);
	println!("f22 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f22 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f22 p7{}", s);
	let res = black_box(S7 { m0: (111.0_f64) });
	let mut s = String::new();
	println!("f22 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f23(p0: S3, p1: u32, p2: &S9, p3: S10, p4: i32, p5: i32, p6: i32, p7: S9, p8: i32) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2);
	write!(s, " {}", p0.m3);
	write!(s, " {}", p0.m4[0]);
	write!(s, " {}", p0.m4[1]);
	write!(s, " {}", p0.m5[0]);
	println!("f23 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f23 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	println!("f23 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m0[2]);
	println!("f23 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f23 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f23 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f23 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7.m0[0]);
	println!("f23 p7{}", s);
	let mut s = String::new();
	write!(s, " {}", p8);
	println!("f23 p8{}", s);
	let res = black_box((-2i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f23 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f24(p0: S1, p1: u16, p2: u8, p3: u16, p4: S3, p5: u8, p6: S11, p7: S0) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0);
	write!(s, " {}", p0.m1);
	println!("f24 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f24 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f24 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f24 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m0[1]);
	write!(s, " {}", p4.m1);
	write!(s, " {}", p4.m2);
	write!(s, " {}", p4.m3);
	write!(s, " {}", p4.m4[0]);
	write!(s, " {}", p4.m4[1]);
	write!(s, " {}", p4.m5[0]);
	println!("f24 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f24 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6.m0[0]);
	write!(s, " {}", p6.m1.m0[0]);
	write!(s, " {}", p6.m1.m0[1]);
	write!(s, " {}", p6.m1.m0[2]);
	println!("f24 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7.m1);
	println!("f24 p7{}", s);
	let res = black_box((18446744073709551615u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f24 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f25(p0: i8, p1: u64, p2: i32, p3: S11, p4: i16) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f25 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f25 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f25 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m1.m0[0]);
	write!(s, " {}", p3.m1.m0[1]);
	write!(s, " {}", p3.m1.m0[2]);
	println!("f25 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f25 p4{}", s);
	let res = black_box((1959533255i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f25 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f26(p0: i64, p1: S6, p2: S1, p3: u64, p4: &S10) -> u16 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f26 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f26 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0);
	write!(s, " {}", p2.m1);
	println!("f26 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f26 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m0[1]);
	write!(s, " {}", p4.m0[2]);
	println!("f26 p4{}", s);
	let res = black_box((65532u16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f26 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f27(p0: &S8, p1: u16) -> S11 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m0[2]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2[0]);
	write!(s, " {}", p0.m2[1]);
	println!("f27 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f27 p1{}", s);
	let res = black_box(S11 { m0: [(997362443u32)], m1: S10 { m0: [(-4i16), (-4i16), (-2i16)] } });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m1.m0[0]);
	write!(s, " {}", res.m1.m0[1]);
	write!(s, " {}", res.m1.m0[2]);
	println!("f27 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f28(p0: i8) -> S8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f28 p0{}", s);
	let res = black_box(S8 { m0: [(18446744073709551612u64), (18446744073709551615u64), (2u64)], m1: (1301081549u32), m2: [(164u8), (254u8)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m0[1]);
	write!(s, " {}", res.m0[2]);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m2[0]);
	write!(s, " {}", res.m2[1]);
	println!("f28 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f29(p0: i64, p1: i64) -> S7 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f29 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f29 p1{}", s);
	let res = black_box(S7 { m0: (-224.75_f64) });
	let mut s = String::new();
	println!("f29 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f30(p0: &S0) -> i16 {
	let mut s = String::new();
	write!(s, " {}", p0.m1);
	println!("f30 p0{}", s);
	let res = black_box((-31883i16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f30 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f31(p0: S2, p1: S9, p2: S7, p3: i64, p4: u32) -> i64 {
	let mut s = String::new();
	println!("f31 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	println!("f31 p1{}", s);
	let mut s = String::new();
	println!("f31 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f31 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f31 p4{}", s);
	let res = black_box((-3i64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f31 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f32(p0: &S3, p1: u32) -> u16 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2);
	write!(s, " {}", p0.m3);
	write!(s, " {}", p0.m4[0]);
	write!(s, " {}", p0.m4[1]);
	write!(s, " {}", p0.m5[0]);
	println!("f32 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f32 p1{}", s);
	let res = black_box((65535u16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f32 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f33(p0: i16, p1: i32, p2: f64, p3: u8, p4: S3, p5: &S8, p6: i16) -> i16 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f33 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f33 p1{}", s);
	let mut s = String::new();
	println!("f33 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f33 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m0[1]);
	write!(s, " {}", p4.m1);
	write!(s, " {}", p4.m2);
	write!(s, " {}", p4.m3);
	write!(s, " {}", p4.m4[0]);
	write!(s, " {}", p4.m4[1]);
	write!(s, " {}", p4.m5[0]);
	println!("f33 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m0[0]);
	write!(s, " {}", p5.m0[1]);
	write!(s, " {}", p5.m0[2]);
	write!(s, " {}", p5.m1);
	write!(s, " {}", p5.m2[0]);
	write!(s, " {}", p5.m2[1]);
	println!("f33 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f33 p6{}", s);
	let res = black_box((1i16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f33 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f34(p0: S4, p1: u32, p2: S7, p3: &S3) -> u8 {
	let mut s = String::new();
	write!(s, " {}", p0.m1[0]);
	write!(s, " {}", p0.m1[1]);
	write!(s, " {}", p0.m3[0]);
	println!("f34 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f34 p1{}", s);
	let mut s = String::new();
	println!("f34 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m1);
	write!(s, " {}", p3.m2);
	write!(s, " {}", p3.m3);
	write!(s, " {}", p3.m4[0]);
	write!(s, " {}", p3.m4[1]);
	write!(s, " {}", p3.m5[0]);
	println!("f34 p3{}", s);
	let res = black_box((3u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f34 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f35(p0: i32, p1: S5, p2: i16, p3: i16, p4: &S5, p5: S0) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f35 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0);
	write!(s, " {}", p1.m1);
	write!(s, " {}", p1.m3);
	println!("f35 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f35 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f35 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0);
	write!(s, " {}", p4.m1);
	write!(s, " {}", p4.m3);
	println!("f35 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m1);
	println!("f35 p5{}", s);
	let res = black_box((1i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f35 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f36(p0: i16, p1: &S2, p2: S10) -> S3 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f36 p0{}", s);
	let mut s = String::new();
	println!("f36 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	println!("f36 p2{}", s);
	let res = black_box(S3 { m0: [(0u32), (1u32)], m1: (18446744073709551615u64), m2: (1753367827i32), m3: (2i8), m4: [(3u8), (252u8)], m5: [(-2i32)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m0[1]);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m2);
	write!(s, " {}", res.m3);
	write!(s, " {}", res.m4[0]);
	write!(s, " {}", res.m4[1]);
	write!(s, " {}", res.m5[0]);
	println!("f36 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f37(p0: i8, p1: &S6) -> S9 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f37 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1);
	println!("f37 p1{}", s);
	let res = black_box(S9 { m0: [(1i64)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	println!("f37 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f38(p0: i8, p1: &S11) -> S3 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f38 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	write!(s, " {}", p1.m1.m0[0]);
	write!(s, " {}", p1.m1.m0[1]);
	write!(s, " {}", p1.m1.m0[2]);
	println!("f38 p1{}", s);
	let res = black_box(S3 { m0: [(4294967294u32), (3852847339u32)], m1: (13952923014656623445u64), m2: (1359068578i32), m3: (-1i8), m4: [(2u8), (56u8)], m5: [(-4i32)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m0[1]);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m2);
	write!(s, " {}", res.m3);
	write!(s, " {}", res.m4[0]);
	write!(s, " {}", res.m4[1]);
	write!(s, " {}", res.m5[0]);
	println!("f38 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f39(p0: S0, p1: i16, p2: &S8, p3: u8, p4: S11, p5: S7) -> S6 {
	let mut s = String::new();
	write!(s, " {}", p0.m1);
	println!("f39 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f39 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m2[0]);
	write!(s, " {}", p2.m2[1]);
	println!("f39 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f39 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m1.m0[0]);
	write!(s, " {}", p4.m1.m0[1]);
	write!(s, " {}", p4.m1.m0[2]);
	println!("f39 p4{}", s);
	let mut s = String::new();
	println!("f39 p5{}", s);
	let res = black_box(S6 { m0: (-171.5_f64), m1: (0u8) });
	let mut s = String::new();
	write!(s, " {}", res.m1);
	println!("f39 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f40(p0: i64, p1: &S3, p2: i16, p3: S7) -> S8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f40 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	write!(s, " {}", p1.m0[1]);
	write!(s, " {}", p1.m1);
	write!(s, " {}", p1.m2);
	write!(s, " {}", p1.m3);
	write!(s, " {}", p1.m4[0]);
	write!(s, " {}", p1.m4[1]);
	write!(s, " {}", p1.m5[0]);
	println!("f40 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f40 p2{}", s);
	let mut s = String::new();
	println!("f40 p3{}", s);
	let res = black_box(S8 { m0: [(5235514237049917795u64), (18446744073709551615u64), (18446744073709551615u64)], m1: (4294967294u32), m2: [(135u8), (3u8)] });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m0[1]);
	write!(s, " {}", res.m0[2]);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m2[0]);
	write!(s, " {}", res.m2[1]);
	println!("f40 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f41(p0: u16, p1: S9, p2: i8, p3: u8, p4: &S10, p5: u32, p6: u32, p7: u16, p8: u16) -> u8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f41 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	println!("f41 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f41 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f41 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0[0]);
	write!(s, " {}", p4.m0[1]);
	write!(s, " {}", p4.m0[2]);
	println!("f41 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f41 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f41 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f41 p7{}", s);
	let mut s = String::new();
	write!(s, " {}", p8);
	println!("f41 p8{}", s);
	let res = black_box((252u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f41 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f42(p0: S7, p1: u32, p2: S0) -> i8 {
	let mut s = String::new();
	println!("f42 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f42 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m1);
	println!("f42 p2{}", s);
	let res = black_box((3i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f42 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f43(p0: u16, p1: u16, p2: u32, p3: i32, p4: i8, p5: S7, p6: i8) -> S11 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f43 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f43 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f43 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f43 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f43 p4{}", s);
	let mut s = String::new();
	println!("f43 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f43 p6{}", s);
	let res = black_box(S11 { m0: [(80492320u32)], m1: S10 { m0: [(-15859i16), (-2i16), (-1i16)] } });
	let mut s = String::new();
	write!(s, " {}", res.m0[0]);
	write!(s, " {}", res.m1.m0[0]);
	write!(s, " {}", res.m1.m0[1]);
	write!(s, " {}", res.m1.m0[2]);
	println!("f43 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f44(p0: &S1, p1: S7) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0);
	write!(s, " {}", p0.m1);
	println!("f44 p0{}", s);
	let mut s = String::new();
	println!("f44 p1{}", s);
	let res = black_box((18446744073709551613u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f44 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f45(p0: S10, p1: S5, p2: &S10, p3: S8) -> u8 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m0[2]);
	println!("f45 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0);
	write!(s, " {}", p1.m1);
	write!(s, " {}", p1.m3);
	println!("f45 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	println!("f45 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m0[2]);
	write!(s, " {}", p3.m1);
	write!(s, " {}", p3.m2[0]);
	write!(s, " {}", p3.m2[1]);
	println!("f45 p3{}", s);
	let res = black_box((252u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f45 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f46(p0: u16, p1: &S1, p2: i16) -> u16 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f46 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0);
	write!(s, " {}", p1.m1);
	println!("f46 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f46 p2{}", s);
	let res = black_box((65533u16));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f46 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f47(p0: S3, p1: S3, p2: S4, p3: S11) -> i8 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	write!(s, " {}", p0.m0[1]);
	write!(s, " {}", p0.m1);
	write!(s, " {}", p0.m2);
	write!(s, " {}", p0.m3);
	write!(s, " {}", p0.m4[0]);
	write!(s, " {}", p0.m4[1]);
	write!(s, " {}", p0.m5[0]);
	println!("f47 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	write!(s, " {}", p1.m0[1]);
	write!(s, " {}", p1.m1);
	write!(s, " {}", p1.m2);
	write!(s, " {}", p1.m3);
	write!(s, " {}", p1.m4[0]);
	write!(s, " {}", p1.m4[1]);
	write!(s, " {}", p1.m5[0]);
	println!("f47 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m1[0]);
	write!(s, " {}", p2.m1[1]);
	write!(s, " {}", p2.m3[0]);
	println!("f47 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m1.m0[0]);
	write!(s, " {}", p3.m1.m0[1]);
	write!(s, " {}", p3.m1.m0[2]);
	println!("f47 p3{}", s);
	let res = black_box((13i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f47 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f48(p0: u8, p1: S7, p2: i8, p3: S8, p4: i8, p5: S2, p6: i8) -> S5 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f48 p0{}", s);
	let mut s = String::new();
	println!("f48 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f48 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m0[2]);
	write!(s, " {}", p3.m1);
	write!(s, " {}", p3.m2[0]);
	write!(s, " {}", p3.m2[1]);
	println!("f48 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f48 p4{}", s);
	let mut s = String::new();
	println!("f48 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f48 p6{}", s);
	let res = black_box(S5 { m0: (6279485139187993477i64), m1: (95i8), m2: (249.25_f64), m3: (22u8) });
	let mut s = String::new();
	write!(s, " {}", res.m0);
	write!(s, " {}", res.m1);
	write!(s, " {}", res.m3);
	println!("f48 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f49(p0: i8, p1: i64, p2: S3, p3: f64) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f49 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f49 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m2);
	write!(s, " {}", p2.m3);
	write!(s, " {}", p2.m4[0]);
	write!(s, " {}", p2.m4[1]);
	write!(s, " {}", p2.m5[0]);
	println!("f49 p2{}", s);
	let mut s = String::new();
	println!("f49 p3{}", s);
	let res = black_box((3u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f49 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f50(p0: &S7, p1: &S3, p2: S5, p3: S6, p4: S2, p5: u8, p6: &S1, p7: S3) -> u64 {
	let mut s = String::new();
	println!("f50 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	write!(s, " {}", p1.m0[1]);
	write!(s, " {}", p1.m1);
	write!(s, " {}", p1.m2);
	write!(s, " {}", p1.m3);
	write!(s, " {}", p1.m4[0]);
	write!(s, " {}", p1.m4[1]);
	write!(s, " {}", p1.m5[0]);
	println!("f50 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m3);
	println!("f50 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m1);
	println!("f50 p3{}", s);
	let mut s = String::new();
	println!("f50 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f50 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6.m0);
	write!(s, " {}", p6.m1);
	println!("f50 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7.m0[0]);
	write!(s, " {}", p7.m0[1]);
	write!(s, " {}", p7.m1);
	write!(s, " {}", p7.m2);
	write!(s, " {}", p7.m3);
	write!(s, " {}", p7.m4[0]);
	write!(s, " {}", p7.m4[1]);
	write!(s, " {}", p7.m5[0]);
	println!("f50 p7{}", s);
	let res = black_box((18446744073709551613u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f50 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f51(p0: f64, p1: &S2, p2: u64, p3: S3, p4: &S2, p5: u64, p6: S3) -> u8 {
	let mut s = String::new();
	println!("f51 p0{}", s);
	let mut s = String::new();
	println!("f51 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f51 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	write!(s, " {}", p3.m0[1]);
	write!(s, " {}", p3.m1);
	write!(s, " {}", p3.m2);
	write!(s, " {}", p3.m3);
	write!(s, " {}", p3.m4[0]);
	write!(s, " {}", p3.m4[1]);
	write!(s, " {}", p3.m5[0]);
	println!("f51 p3{}", s);
	let mut s = String::new();
	println!("f51 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f51 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6.m0[0]);
	write!(s, " {}", p6.m0[1]);
	write!(s, " {}", p6.m1);
	write!(s, " {}", p6.m2);
	write!(s, " {}", p6.m3);
	write!(s, " {}", p6.m4[0]);
	write!(s, " {}", p6.m4[1]);
	write!(s, " {}", p6.m5[0]);
	println!("f51 p6{}", s);
	let res = black_box((144u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f51 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f52(p0: i64, p1: S1, p2: S5, p3: u16, p4: S5, p5: S6, p6: i64, p7: u16) -> u8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f52 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0);
	write!(s, " {}", p1.m1);
	println!("f52 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m3);
	println!("f52 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f52 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m0);
	write!(s, " {}", p4.m1);
	write!(s, " {}", p4.m3);
	println!("f52 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m1);
	println!("f52 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f52 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7);
	println!("f52 p7{}", s);
	let res = black_box((34u8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f52 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f53(p0: &S1, p1: &S4, p2: S2, p3: S9, p4: u8, p5: S3, p6: S2) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0);
	write!(s, " {}", p0.m1);
	println!("f53 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m1[0]);
	write!(s, " {}", p1.m1[1]);
	write!(s, " {}", p1.m3[0]);
	println!("f53 p1{}", s);
	let mut s = String::new();
	println!("f53 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m0[0]);
	println!("f53 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f53 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m0[0]);
	write!(s, " {}", p5.m0[1]);
	write!(s, " {}", p5.m1);
	write!(s, " {}", p5.m2);
	write!(s, " {}", p5.m3);
	write!(s, " {}", p5.m4[0]);
	write!(s, " {}", p5.m4[1]);
	write!(s, " {}", p5.m5[0]);
	println!("f53 p5{}", s);
	let mut s = String::new();
	println!("f53 p6{}", s);
	let res = black_box((1u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f53 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f54(p0: u64, p1: &S9, p2: &S3, p3: S4, p4: f64, p5: u16, p6: u16, p7: S5, p8: f64) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f54 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0[0]);
	println!("f54 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m2);
	write!(s, " {}", p2.m3);
	write!(s, " {}", p2.m4[0]);
	write!(s, " {}", p2.m4[1]);
	write!(s, " {}", p2.m5[0]);
	println!("f54 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3.m1[0]);
	write!(s, " {}", p3.m1[1]);
	write!(s, " {}", p3.m3[0]);
	println!("f54 p3{}", s);
	let mut s = String::new();
	println!("f54 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f54 p5{}", s);
	let mut s = String::new();
	write!(s, " {}", p6);
	println!("f54 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7.m0);
	write!(s, " {}", p7.m1);
	write!(s, " {}", p7.m3);
	println!("f54 p7{}", s);
	let mut s = String::new();
	println!("f54 p8{}", s);
	let res = black_box((3u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f54 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f55(p0: u32, p1: u32, p2: i8, p3: f32, p4: u32, p5: u16, p6: f32, p7: S8, p8: u32) -> i32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f55 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1);
	println!("f55 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f55 p2{}", s);
	let mut s = String::new();
	println!("f55 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f55 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5);
	println!("f55 p5{}", s);
	let mut s = String::new();
	println!("f55 p6{}", s);
	let mut s = String::new();
	write!(s, " {}", p7.m0[0]);
	write!(s, " {}", p7.m0[1]);
	write!(s, " {}", p7.m0[2]);
	write!(s, " {}", p7.m1);
	write!(s, " {}", p7.m2[0]);
	write!(s, " {}", p7.m2[1]);
	println!("f55 p7{}", s);
	let mut s = String::new();
	write!(s, " {}", p8);
	println!("f55 p8{}", s);
	let res = black_box((0i32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f55 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f56(p0: u64, p1: &S1, p2: i32) -> S6 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f56 p0{}", s);
	let mut s = String::new();
	write!(s, " {}", p1.m0);
	write!(s, " {}", p1.m1);
	println!("f56 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f56 p2{}", s);
	let res = black_box(S6 { m0: (-229.75_f64), m1: (253u8) });
	let mut s = String::new();
	write!(s, " {}", res.m1);
	println!("f56 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f57(p0: S9, p1: f32, p2: S2, p3: u8, p4: i16, p5: &S9) -> u64 {
	let mut s = String::new();
	write!(s, " {}", p0.m0[0]);
	println!("f57 p0{}", s);
	let mut s = String::new();
	println!("f57 p1{}", s);
	let mut s = String::new();
	println!("f57 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f57 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f57 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m0[0]);
	println!("f57 p5{}", s);
	let res = black_box((1u64));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f57 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f58(p0: i8, p1: f64, p2: i64, p3: u32, p4: S6) -> i8 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f58 p0{}", s);
	let mut s = String::new();
	println!("f58 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2);
	println!("f58 p2{}", s);
	let mut s = String::new();
	write!(s, " {}", p3);
	println!("f58 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4.m1);
	println!("f58 p4{}", s);
	let res = black_box((-3i8));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f58 r{}", s);
	res
}
#[no_mangle] #[inline(never)] pub fn f59(p0: i8, p1: f32, p2: &S8, p3: f64, p4: u64, p5: S4) -> u32 {
	let mut s = String::new();
	write!(s, " {}", p0);
	println!("f59 p0{}", s);
	let mut s = String::new();
	println!("f59 p1{}", s);
	let mut s = String::new();
	write!(s, " {}", p2.m0[0]);
	write!(s, " {}", p2.m0[1]);
	write!(s, " {}", p2.m0[2]);
	write!(s, " {}", p2.m1);
	write!(s, " {}", p2.m2[0]);
	write!(s, " {}", p2.m2[1]);
	println!("f59 p2{}", s);
	let mut s = String::new();
	println!("f59 p3{}", s);
	let mut s = String::new();
	write!(s, " {}", p4);
	println!("f59 p4{}", s);
	let mut s = String::new();
	write!(s, " {}", p5.m1[0]);
	write!(s, " {}", p5.m1[1]);
	write!(s, " {}", p5.m3[0]);
	println!("f59 p5{}", s);
	let res = black_box((2236417759u32));
	let mut s = String::new();
	write!(s, " {}", res);
	println!("f59 r{}", s);
	res
}
fn main() {
	black_box(f0(black_box((1i32)), black_box(S0 { m0: (-137.75_f32), m1: (-4i64) }), black_box(S4 { m0: S2 { m0: (52.75_f32) }, m1: [(18446744073709551612u64), (18446744073709551614u64)], m2: S2 { m0: (-71.75_f32) }, m3: [(-3i64)] }), black_box((18446744073709551615u64))));
	black_box(f1(black_box(S2 { m0: (-215.25_f32) })));
	black_box(f2(&S2 { m0: (205.0_f32) }));
	black_box(f3(S1 { m0: (-3i8), m1: (-1i16) }, (24611u16), (-2i16), &S7 { m0: (11.25_f64) }));
	black_box(f4(black_box((65534u16)), black_box((-158.25_f32)), black_box((1185203322u32)), black_box(&S2 { m0: (11.0_f32) }), black_box(S2 { m0: (-194.0_f32) }), black_box((-3i8)), black_box((0u8)), black_box((18446744073709551615u64)), black_box(S6 { m0: (110.5_f64), m1: (113u8) })));
	black_box(f5(S11 { m0: [(4294967292u32)], m1: S10 { m0: [(-4i16), (-18160i16), (-19447i16)] } }, (0i16)));
	black_box(f6(black_box(S11 { m0: [(2u32)], m1: S10 { m0: [(1i16), (-1i16), (13732i16)] } }), black_box((85i8)), black_box((2i32)), black_box(&S2 { m0: (-189.75_f32) }), black_box((3u8)), black_box(S0 { m0: (-169.0_f32), m1: (-2i64) })));
	black_box(f7(black_box((-2299689167091842204i64)), black_box((253u8)), black_box(S10 { m0: [(1i16), (-2i16), (-3i16)] })));
	black_box(f8((77i8), (2u32), (40175u16)));
	black_box(f9(black_box(&S11 { m0: [(4294967294u32)], m1: S10 { m0: [(0i16), (-4i16), (-12603i16)] } }), black_box((-2i8)), black_box((61172u16)), black_box((4294967293u32)), black_box(&S9 { m0: [(2672115301473226681i64)] })));
	black_box(f10(black_box(&S8 { m0: [(1u64), (18446744073709551614u64), (0u64)], m1: (2454482381u32), m2: [(3u8), (3u8)] }), black_box((2i32)), black_box((96u8)), black_box((3i64)), black_box((3682024600u32))));
	black_box(f11(black_box(S9 { m0: [(-1i64)] }), black_box((1u64)), black_box((-127i8)), black_box(S8 { m0: [(18446744073709551612u64), (14312802928265521374u64), (14656837987165977465u64)], m1: (1u32), m2: [(223u8), (2u8)] }), black_box((-740803242i32))));
	black_box(f12(black_box((205.25_f32)), black_box(S6 { m0: (79.75_f64), m1: (45u8) })));
	black_box(f13((1u8), (-153.5_f32), &S1 { m0: (3i8), m1: (11305i16) }, (3i64), (153.5_f32), (2u8), &S10 { m0: [(2i16), (29541i16), (-4i16)] }));
	black_box(f14(black_box((47869u16)), black_box(S7 { m0: (206.5_f64) }), black_box(&S11 { m0: [(2591174159u32)], m1: S10 { m0: [(1i16), (-24282i16), (2i16)] } }), black_box((79u8)), black_box(&S8 { m0: [(18446744073709551614u64), (0u64), (18446744073709551613u64)], m1: (0u32), m2: [(243u8), (254u8)] }), black_box((55072u16)), black_box((88i8)), black_box((-4i32)), black_box(S8 { m0: [(18446744073709551614u64), (15129455769635183114u64), (3u64)], m1: (1u32), m2: [(89u8), (0u8)] })));
	black_box(f15(black_box((-2i32)), black_box(S9 { m0: [(1i64)] }), black_box((1u8)), black_box(S4 { m0: S2 { m0: (-179.75_f32) }, m1: [(2u64), (18446744073709551612u64)], m2: S2 { m0: (135.0_f32) }, m3: [(0i64)] }), black_box((-102.5_f32)), black_box(S2 { m0: (-81.5_f32) }), black_box((3543395269265373916i64))));
	black_box(f16(black_box(S1 { m0: (3i8), m1: (-2464i16) }), black_box(S2 { m0: (-147.5_f32) }), black_box((1u8)), black_box((4294967292u32)), black_box((-4i16)), black_box((-3i32))));
	black_box(f17(black_box(&S3 { m0: [(2u32), (4294967295u32)], m1: (3u64), m2: (3i32), m3: (1i8), m4: [(253u8), (1u8)], m5: [(-2036933976i32)] }), black_box((154u8))));
	black_box(f18(black_box((11u8)), black_box(&S0 { m0: (94.5_f32), m1: (3709409864858075501i64) }), black_box((-192.0_f64)), black_box((10837315421486572027u64)), black_box(S11 { m0: [(4294967294u32)], m1: S10 { m0: [(3i16), (3737i16), (1i16)] } }), black_box((3i8)), black_box((2i8)), black_box((19610i16)), black_box(S2 { m0: (-230.25_f32) })));
	black_box(f19(black_box(S11 { m0: [(4294967292u32)], m1: S10 { m0: [(-21659i16), (-3i16), (16376i16)] } }), black_box((1i8)), black_box((245.0_f32)), black_box((17774728450541273298u64)), black_box(&S1 { m0: (0i8), m1: (1i16) }), black_box(S11 { m0: [(4294967292u32)], m1: S10 { m0: [(-4i16), (-4i16), (1i16)] } })));
	black_box(f20(black_box(S8 { m0: [(17928763286036162258u64), (9522464578735358283u64), (2u64)], m1: (4294967294u32), m2: [(0u8), (253u8)] }), black_box(S6 { m0: (138.25_f64), m1: (1u8) }), black_box((0i64)), black_box(S11 { m0: [(4289874834u32)], m1: S10 { m0: [(1i16), (-2i16), (-1i16)] } }), black_box((218.75_f64)), black_box((762559728i32))));
	black_box(f21(black_box(S3 { m0: [(2u32), (3421613735u32)], m1: (1u64), m2: (0i32), m3: (-2i8), m4: [(255u8), (0u8)], m5: [(1029499207i32)] }), black_box(&S11 { m0: [(1u32)], m1: S10 { m0: [(2i16), (594i16), (-1i16)] } }), black_box((4294967292u32)), black_box(S4 { m0: S2 { m0: (45.5_f32) }, m1: [(11960478561907886366u64), (1u64)], m2: S2 { m0: (-111.0_f32) }, m3: [(6720179844363800511i64)] }), black_box(S1 { m0: (3i8), m1: (2i16) })));
	black_box(f22(black_box((65534u16)), black_box((2574836772u32)), black_box(S8 { m0: [(3609054609381022919u64), (18446744073709551613u64), (18406558623660880757u64)], m1: (2u32), m2: [(3u8), (98u8)] }), black_box(S2 { m0: (-54.75_f32) }), black_box((254u8)), black_box(&S9 { m0: [(-4i64)] }), black_box((254u8)), black_box((252u8))));
	black_box(f23(black_box(S3 { m0: [(3u32), (4294967292u32)], m1: (12397055639233252775u64), m2: (3i32), m3: (1i8), m4: [(0u8), (220u8)], m5: [(0i32)] }), black_box((0u32)), black_box(&S9 { m0: [(5874451803558491083i64)] }), black_box(S10 { m0: [(1i16), (3i16), (-2i16)] }), black_box((547698759i32)), black_box((3i32)), black_box((434930794i32)), black_box(S9 { m0: [(0i64)] }), black_box((-1674110126i32))));
	black_box(f24(black_box(S1 { m0: (0i8), m1: (22499i16) }), black_box((65533u16)), black_box((1u8)), black_box((65532u16)), black_box(S3 { m0: [(4294967293u32), (2u32)], m1: (18446744073709551615u64), m2: (-1i32), m3: (0i8), m4: [(254u8), (1u8)], m5: [(0i32)] }), black_box((3u8)), black_box(S11 { m0: [(1520412017u32)], m1: S10 { m0: [(-3i16), (-4i16), (-10530i16)] } }), black_box(S0 { m0: (124.0_f32), m1: (3i64) })));
	black_box(f25(black_box((72i8)), black_box((18446744073709551614u64)), black_box((-1i32)), black_box(S11 { m0: [(4294967295u32)], m1: S10 { m0: [(2i16), (-1i16), (-1i16)] } }), black_box((4087i16))));
	black_box(f26(black_box((2639299854256729247i64)), black_box(S6 { m0: (-237.5_f64), m1: (0u8) }), black_box(S1 { m0: (2i8), m1: (-1i16) }), black_box((17079385390684422674u64)), black_box(&S10 { m0: [(-26708i16), (-17413i16), (10188i16)] })));
	black_box(f27(black_box(&S8 { m0: [(18446744073709551613u64), (3u64), (0u64)], m1: (3u32), m2: [(255u8), (148u8)] }), black_box((1075u16))));
	black_box(f28((3i8)));
	black_box(f29(black_box((1i64)), black_box((-4748651618909775493i64))));
	black_box(f30(black_box(&S0 { m0: (13.0_f32), m1: (0i64) })));
	black_box(f31(black_box(S2 { m0: (169.25_f32) }), black_box(S9 { m0: [(-3i64)] }), black_box(S7 { m0: (-122.25_f64) }), black_box((-4i64)), black_box((4294967295u32))));
	black_box(f32(black_box(&S3 { m0: [(4294967295u32), (4294967292u32)], m1: (17361890313929023149u64), m2: (2i32), m3: (-36i8), m4: [(254u8), (71u8)], m5: [(149080757i32)] }), black_box((1u32))));
	black_box(f33((-32302i16), (-4i32), (83.0_f64), (240u8), S3 { m0: [(2u32), (4294967295u32)], m1: (1u64), m2: (122574002i32), m3: (-96i8), m4: [(2u8), (3u8)], m5: [(-1i32)] }, &S8 { m0: [(6538812148936786842u64), (0u64), (18446744073709551612u64)], m1: (0u32), m2: [(253u8), (144u8)] }, (-20752i16)));
	black_box(f34(S4 { m0: S2 { m0: (-157.0_f32) }, m1: [(18446744073709551613u64), (8297233104767061205u64)], m2: S2 { m0: (-152.25_f32) }, m3: [(1i64)] }, (4294967295u32), S7 { m0: (-188.25_f64) }, &S3 { m0: [(4294967295u32), (1u32)], m1: (1u64), m2: (-1352846005i32), m3: (-2i8), m4: [(254u8), (0u8)], m5: [(2i32)] }));
	black_box(f35(black_box((1080293477i32)), black_box(S5 { m0: (-4i64), m1: (27i8), m2: (163.25_f64), m3: (255u8) }), black_box((2231i16)), black_box((1i16)), black_box(&S5 { m0: (2i64), m1: (-4i8), m2: (-132.75_f64), m3: (0u8) }), black_box(S0 { m0: (-197.0_f32), m1: (3i64) })));
	black_box(f36(black_box((1i16)), black_box(&S2 { m0: (-242.5_f32) }), black_box(S10 { m0: [(-3i16), (-1i16), (0i16)] })));
	black_box(f37(black_box((-2i8)), black_box(&S6 { m0: (-94.75_f64), m1: (255u8) })));
	black_box(f38((-116i8), &S11 { m0: [(4294967295u32)], m1: S10 { m0: [(3i16), (-3i16), (-1i16)] } }));
	black_box(f39(black_box(S0 { m0: (179.75_f32), m1: (-8286005083980973063i64) }), black_box((-2i16)), black_box(&S8 { m0: [(13879905434266554702u64), (1u64), (2u64)], m1: (2u32), m2: [(3u8), (0u8)] }), black_box((255u8)), black_box(S11 { m0: [(4294967292u32)], m1: S10 { m0: [(-2i16), (-9036i16), (-1i16)] } }), black_box(S7 { m0: (139.5_f64) })));
	black_box(f40(black_box((2516549550599984476i64)), black_box(&S3 { m0: [(4294967292u32), (4294967293u32)], m1: (14000381298510380229u64), m2: (341762153i32), m3: (0i8), m4: [(255u8), (2u8)], m5: [(-1392824181i32)] }), black_box((-970i16)), black_box(S7 { m0: (-39.75_f64) })));
	black_box(f41((1u16), S9 { m0: [(567467516951655917i64)] }, (118i8), (254u8), &S10 { m0: [(-11683i16), (-25507i16), (-1i16)] }, (1782613812u32), (4294967295u32), (65534u16), (28532u16)));
	black_box(f42(black_box(S7 { m0: (-185.5_f64) }), black_box((3032767515u32)), black_box(S0 { m0: (97.25_f32), m1: (-3i64) })));
	black_box(f43(black_box((0u16)), black_box((65532u16)), black_box((0u32)), black_box((-2i32)), black_box((0i8)), black_box(S7 { m0: (58.0_f64) }), black_box((0i8))));
	black_box(f44(black_box(&S1 { m0: (-2i8), m1: (0i16) }), black_box(S7 { m0: (12.0_f64) })));
	black_box(f45(S10 { m0: [(3i16), (-17543i16), (-2i16)] }, S5 { m0: (8052011075136167737i64), m1: (-3i8), m2: (-125.75_f64), m3: (1u8) }, &S10 { m0: [(2i16), (-4960i16), (19711i16)] }, S8 { m0: [(18446744073709551612u64), (1u64), (0u64)], m1: (2258700857u32), m2: [(253u8), (45u8)] }));
	black_box(f46(black_box((39439u16)), black_box(&S1 { m0: (-41i8), m1: (2i16) }), black_box((0i16))));
	black_box(f47(S3 { m0: [(2696200788u32), (2642858944u32)], m1: (18446744073709551613u64), m2: (-3i32), m3: (-125i8), m4: [(2u8), (3u8)], m5: [(-1i32)] }, S3 { m0: [(225240012u32), (4294967294u32)], m1: (18446744073709551613u64), m2: (-1203186686i32), m3: (1i8), m4: [(255u8), (3u8)], m5: [(0i32)] }, S4 { m0: S2 { m0: (-76.25_f32) }, m1: [(15354789361127876726u64), (18446744073709551614u64)], m2: S2 { m0: (83.5_f32) }, m3: [(-4525511428267670064i64)] }, S11 { m0: [(0u32)], m1: S10 { m0: [(0i16), (1i16), (21375i16)] } }));
	black_box(f48((145u8), S7 { m0: (-30.25_f64) }, (16i8), S8 { m0: [(916800053639373005u64), (18446744073709551615u64), (18446744073709551613u64)], m1: (2u32), m2: [(0u8), (254u8)] }, (2i8), S2 { m0: (231.75_f32) }, (-101i8)));
	black_box(f49(black_box((2i8)), black_box((-2i64)), black_box(S3 { m0: [(0u32), (4294967294u32)], m1: (18446744073709551612u64), m2: (1i32), m3: (67i8), m4: [(255u8), (254u8)], m5: [(-1i32)] }), black_box((-212.75_f64))));
	black_box(f50(&S7 { m0: (35.75_f64) }, &S3 { m0: [(4082448111u32), (2899482191u32)], m1: (2u64), m2: (1722308226i32), m3: (-3i8), m4: [(255u8), (200u8)], m5: [(-3i32)] }, S5 { m0: (1i64), m1: (1i8), m2: (-60.25_f64), m3: (2u8) }, S6 { m0: (52.25_f64), m1: (1u8) }, S2 { m0: (-236.0_f32) }, (252u8), &S1 { m0: (-2i8), m1: (-1i16) }, S3 { m0: [(4294967293u32), (4294967294u32)], m1: (6941450851897455437u64), m2: (1i32), m3: (1i8), m4: [(142u8), (9u8)], m5: [(3i32)] }));
	black_box(f51(black_box((232.5_f64)), black_box(&S2 { m0: (-153.75_f32) }), black_box((2u64)), black_box(S3 { m0: [(1u32), (2u32)], m1: (13677471219732755198u64), m2: (-1335415522i32), m3: (3i8), m4: [(163u8), (61u8)], m5: [(0i32)] }), black_box(&S2 { m0: (-40.0_f32) }), black_box((13202912998680797101u64)), black_box(S3 { m0: [(4291073918u32), (4294967293u32)], m1: (3u64), m2: (1214187597i32), m3: (2i8), m4: [(254u8), (235u8)], m5: [(2i32)] })));
	black_box(f52(black_box((9125910663631992486i64)), black_box(S1 { m0: (-126i8), m1: (-2i16) }), black_box(S5 { m0: (-3i64), m1: (-21i8), m2: (155.0_f64), m3: (252u8) }), black_box((17969u16)), black_box(S5 { m0: (3i64), m1: (-4i8), m2: (237.75_f64), m3: (252u8) }), black_box(S6 { m0: (-161.25_f64), m1: (141u8) }), black_box((-1i64)), black_box((65532u16))));
	black_box(f53(black_box(&S1 { m0: (0i8), m1: (2i16) }), black_box(&S4 { m0: S2 { m0: (-133.25_f32) }, m1: [(0u64), (18446744073709551613u64)], m2: S2 { m0: (-105.25_f32) }, m3: [(-1i64)] }), black_box(S2 { m0: (-28.75_f32) }), black_box(S9 { m0: [(-4i64)] }), black_box((255u8)), black_box(S3 { m0: [(2u32), (164798623u32)], m1: (0u64), m2: (-3i32), m3: (3i8), m4: [(0u8), (2u8)], m5: [(234455411i32)] }), black_box(S2 { m0: (204.5_f32) })));
	black_box(f54(black_box((18446744073709551615u64)), black_box(&S9 { m0: [(2i64)] }), black_box(&S3 { m0: [(2u32), (4222296886u32)], m1: (18446744073709551613u64), m2: (2i32), m3: (-3i8), m4: [(255u8), (3u8)], m5: [(337821733i32)] }), black_box(S4 { m0: S2 { m0: (153.75_f32) }, m1: [(2u64), (18446744073709551614u64)], m2: S2 { m0: (38.5_f32) }, m3: [(5430607458622485835i64)] }), black_box((176.0_f64)), black_box((0u16)), black_box((65533u16)), black_box(S5 { m0: (-6798206422080260913i64), m1: (1i8), m2: (-22.0_f64), m3: (176u8) }), black_box((75.5_f64))));
	black_box(f55(black_box((4294967295u32)), black_box((2707462860u32)), black_box((1i8)), black_box((220.0_f32)), black_box((3u32)), black_box((0u16)), black_box((0.5_f32)), black_box(S8 { m0: [(18446744073709551615u64), (18446744073709551613u64), (3u64)], m1: (4294967293u32), m2: [(255u8), (254u8)] }), black_box((2912254238u32))));
	black_box(f56(black_box((18446744073709551612u64)), black_box(&S1 { m0: (2i8), m1: (-4i16) }), black_box((0i32))));
	black_box(f57(black_box(S9 { m0: [(-1i64)] }), black_box((209.5_f32)), black_box(S2 { m0: (1.25_f32) }), black_box((53u8)), black_box((-17286i16)), black_box(&S9 { m0: [(-6259201136558573620i64)] })));
	black_box(f58(black_box((57i8)), black_box((-211.0_f64)), black_box((1329170399974997054i64)), black_box((4294967294u32)), black_box(S6 { m0: (-174.75_f64), m1: (254u8) })));
	black_box(f59(black_box((-16i8)), black_box((-122.75_f32)), black_box(&S8 { m0: [(18446744073709551614u64), (18446744073709551612u64), (18446744073709551614u64)], m1: (4294967293u32), m2: [(3u8), (1u8)] }), black_box((-23.75_f64)), black_box((18446744073709551615u64)), black_box(S4 { m0: S2 { m0: (-24.5_f32) }, m1: [(2u64), (12313502707272741636u64)], m2: S2 { m0: (112.25_f32) }, m3: [(2i64)] })));
}
