//! CUDA's mathematics, run: what each function gives, beside values from tables.

use super::{buffer, codes, options, ran};
use heddle_driver::dynamic::RunOptions;

/// An expression in CUDA C++, and what it is.
const FLOATS: &[(&str, f64)] = &[
    ("sinpi(2.5)", 1.0),
    ("cospif(3.0f)", -1.0),
    ("sinpi(1e9 + 0.5)", 1.0),
    ("rcbrt(27.0)", 1.0 / 3.0),
    ("rhypotf(3.0f, 4.0f)", 0.2),
    ("fdividef(1.0f, 4.0f)", 0.25),
    ("norm3d(2.0, 3.0, 6.0)", 7.0),
    ("norm4df(1.0f, 1.0f, 1.0f, 1.0f)", 2.0),
    ("rnorm3df(2.0f, 3.0f, 6.0f)", 1.0 / 7.0),
    ("normcdf(0.0)", 0.5),
    ("normcdf(1.96)", 0.975_002_104_851_779_5),
    ("normcdfinv(0.975)", 1.959_963_984_540_054),
    ("erfinv(0.5)", 0.476_936_276_204_469_9),
    ("erfinv(-0.999)", -2.326_753_765_513_525),
    ("erfinv(0.1)", 0.088_855_990_494_257_69),
    ("erfcinv(1e-10)", 4.572_824_967_389_486),
    ("erfcinv(1e-100)", 15.065_574_702_592_645),
    ("erfcinv(1.5)", -0.476_936_276_204_469_9),
    ("erfcx(3.0)", 0.179_001_151_181_389_9),
    ("erfcx(100.0)", 0.005_641_613_782_989_433),
    ("lgamma(10.0)", 12.801_827_480_081_469),
    ("jn(2, 3.0)", 0.486_091_260_585_891_1),
    ("scalbln(3.0, 4l)", 48.0),
    ("std::pow(2.0f, 10)", 1024.0),
    ("powi(3.0, 4)", 81.0),
    ("logb(10.0)", 3.0),
    ("nextafter(1.0, 2.0) - 1.0", f64::EPSILON),
    ("(sincos(0.5, &s, &c), s * s + c * c)", 1.0),
    ("(sincospif(0.25f, &fs, &fc), fs - fc)", 0.0),
    ("modf(-2.75, &s) * 100 + s", -77.0),
    ("modff(-2.75f, &fs) * 100 + fs", -77.0),
    ("frexp(-12.0, &e) * 100 + e", -71.0),
    ("frexp(5e-324, &e) * 10000 + e", 5000.0 - 1073.0),
    ("frexpf(1e-45f, &e) * 1000 + e", 500.0 - 148.0),
    ("remquo(17.0, 5.0, &e) * 100 + e", 203.0),
    ("remquof(-17.0f, 5.0f, &e) * 100 + e", -203.0),
    (
        "__float2int_rn(2.5f) * 1000 + __float2int_rz(2.5f) * 100 + __float2int_ru(2.5f) * 10 + __float2int_rd(2.5f)",
        2232.0,
    ),
    ("__double2ll_rd(-2.5) * 10 + __double2ll_ru(-2.5)", -32.0),
    ("__ull2double_rn(1ull << 63)", 9_223_372_036_854_775_808.0),
];

/// An expression of integers, and its low 32 bits.
const INTEGERS: &[(&str, u32)] = &[
    ("abs(-5) + labs(-7l) + llabs(-9ll)", 21),
    ("__byte_perm(0x33221100, 0x77665544, 0x7160)", 0x7711_6600),
    ("__byte_perm(0x800000, 0, 0xa2)", 0xff80),
    ("__funnelshift_lc(1, 2, 40)", 1),
    ("__hadd(-3, 0) + 2", 0),
    ("__rhadd(-3, 0)", u32::MAX),
    ("__uhadd(0xffffffffu, 1)", 0x8000_0000),
    ("__dp4a(0x01ff02fe, 0x02030405, 10)", 7),
    ("__dp4a(0xff000000u, 0xff000000u, 1u)", 65026),
    ("__dp2a_lo(0x0002ffff, 0x0304, 0)", 2),
    ("__vadd2(0xffff0001, 0x00010001)", 2),
    ("__vaddss2(0x7fff0001, 0x00010001)", 0x7fff_0002),
    ("__vsubus4(0x05000000, 0x06000000)", 0),
    ("__vabsss4(0x80ff7f01)", 0x7f01_7f01),
    ("__vnegss2(0x80000001)", 0x7fff_ffff),
    ("__vmaxs4(0xff010203, 0x00ff0302)", 0x0001_0303),
    ("__vminu2(0xffff0001, 0x00010002)", 0x0001_0001),
    ("__vabsdiffs2(0x00050003, 0x0003fffe)", 0x0002_0005),
    ("__vavgu2(0x00010003, 0x00020004)", 0x0002_0004),
    ("__vavgs2(0xfffd0003, 0x00000004)", 0xfffe_0004),
    ("__vhaddu4(0xff030201, 0x01000000)", 0x8001_0100),
    ("__vcmpgts2(0x00010001, 0xffff0002)", 0xffff_0000),
    ("__vseteq4(0x01020304, 0x01000300)", 0x0100_0100),
    ("__vsadu4(0x01020304, 0x04030201)", 8),
    ("__brev(1)", 0x8000_0000),
    ("lroundf(2.5f) * 10 + lrint(2.5)", 32),
    ("ilogb(1000.0)", 9),
];

fn lines(expressions: impl Iterator<Item = &'static str>) -> String {
    expressions.enumerate().map(|(n, it)| format!("out[{n}] = {it};\n")).collect()
}

#[test]
fn functions_give_what_tables_say() {
    let body = lines(FLOATS.iter().map(|(text, _)| *text));
    let text = format!(
        "#include <cmath>\n__global__ void k(double *out) {{ double s, c; float fs, fc; int e;\n{body}}}"
    );
    let buffers = vec![buffer(&format!("out=f64[{}]:zeros", FLOATS.len()))];
    let outcome = ran(&text, &RunOptions { buffers, ..options(1, 1) });
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    let bytes = outcome.buffer("out").expect("the buffer");
    for ((text, expected), got) in FLOATS.iter().zip(bytes.chunks(8)) {
        let got = f64::from_le_bytes(got.try_into().expect("eight bytes"));
        let single = text.contains("f(") && !text.contains("erf(");
        let within = if single { 1e-6 } else { 1e-12 } * expected.abs().max(1e-3);
        assert!((got - expected).abs() <= within, "{text} is {got}, and not {expected}");
    }
}

#[test]
fn integer_functions_give_what_they_are_defined_as() {
    let body = lines(INTEGERS.iter().map(|(text, _)| *text));
    let text = format!("__global__ void k(unsigned int *out) {{\n{body}}}");
    let buffers = vec![buffer(&format!("out=u32[{}]:zeros", INTEGERS.len()))];
    let outcome = ran(&text, &RunOptions { buffers, ..options(1, 1) });
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    let bytes = outcome.buffer("out").expect("the buffer");
    for ((text, expected), got) in INTEGERS.iter().zip(bytes.chunks(4)) {
        let got = u32::from_le_bytes(got.try_into().expect("four bytes"));
        assert_eq!(got, *expected, "{text} is {got:#x}, and not {expected:#x}");
    }
}
