//! The mathematics of CUDA and OpenCL, run: what each function gives, beside values from tables.

use super::{buffer, codes, options, ran};
use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{RunOptions, RunOutcome, run};

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
    ("(int)__half_as_ushort(__habs(__float2half(-0.0f)))", 0),
    ("__float_as_uint(__fadd_ru(1.0f, 1e-10f))", 0x3f80_0001),
    ("__float_as_uint(__fadd_rd(1.0f, 1e-10f))", 0x3f80_0000),
    ("__float_as_uint(__fadd_rz(-1.0f, 1e-10f))", 0xbf7f_ffff),
    ("__float_as_uint(__fsub_rd(1.0f, 1e-10f))", 0x3f7f_ffff),
    ("__float_as_uint(__fdiv_rd(1.0f, 3.0f))", 0x3eaa_aaaa),
    ("__float_as_uint(__fdiv_ru(1.0f, 3.0f))", 0x3eaa_aaab),
    ("__float_as_uint(__frcp_rz(3.0f))", 0x3eaa_aaaa),
    ("__float_as_uint(__fsqrt_ru(2.0f))", 0x3fb5_04f4),
    ("__float_as_uint(__fsqrt_rd(2.0f))", 0x3fb5_04f3),
    ("__float_as_uint(__fmaf_ru(1.0f, 1.0f, 1e-10f))", 0x3f80_0001),
    ("__float_as_uint(__int2float_ru(16777217))", 0x4b80_0001),
    ("__float_as_uint(__int2float_rd(16777217))", 0x4b80_0000),
    ("__float_as_uint(__double2float_ru(0.1))", 0x3dcc_cccd),
    ("__float_as_uint(__double2float_rd(0.1))", 0x3dcc_cccc),
    ("__double2loint(__dadd_ru(1.0, 1e-30))", 1),
    ("__double2hiint(__fma_rz(1.0, 1.0, -1e-30))", 0x3fef_ffff),
    (
        "(int)__half_as_ushort(__hfma(__float2half(1.0009765625f), __float2half(1.0009765625f), __float2half(-1.0019531f)))",
        0x0010,
    ),
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
    let text = format!("#include <cuda_fp16.h>\n__global__ void k(unsigned int *out) {{\n{body}}}");
    let buffers = vec![buffer(&format!("out=u32[{}]:zeros", INTEGERS.len()))];
    let outcome = ran(&text, &RunOptions { buffers, ..options(1, 1) });
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    let bytes = outcome.buffer("out").expect("the buffer");
    for ((text, expected), got) in INTEGERS.iter().zip(bytes.chunks(4)) {
        let got = u32::from_le_bytes(got.try_into().expect("four bytes"));
        assert_eq!(got, *expected, "{text} is {got:#x}, and not {expected:#x}");
    }
}

/// OpenCL's functions, of numbers and of vectors.
const OPENCL: &[(&str, f64)] = &[
    ("sinpi(2.5f) + cospi(3.0f) + tanpi(0.25f)", 1.0),
    ("acospi(-1.0f) + atan2pi(1.0f, 1.0f)", 1.25),
    ("degrees(radians(90.0f))", 90.0),
    ("sign(-3.0f) * 10 + sign(0.0f) + sign(NAN)", -10.0),
    ("step(1.0f, 2.0f) * 10 + step(1.0f, 0.5f)", 10.0),
    ("smoothstep(0.0f, 2.0f, 1.0f)", 0.5),
    ("maxmag(-3.0f, 2.0f) * 10 + minmag(-3.0f, 2.0f)", -28.0),
    ("pown(2.0f, -2) + powr(4.0f, 0.5f) + rootn(-8.0f, 3)", 0.25),
    ("mix(1.0f, 3.0f, 0.25f) + clamp(5.0f, 0.0f, 2.0f)", 3.5),
    ("ilogb(1000.0f)", 9.0),
    ("frexp(-12.0f, &e) * 100 + e", -71.0),
    ("modf(-2.75f, &h) * 100 + h", -77.0),
    ("fract(-0.25f, &h) * 100 + h", 74.0),
    ("remquo(17.0f, 5.0f, &e) * 100 + e", 203.0),
    ("lgamma_r(-0.5f, &e) * 0 + e", -1.0),
    ("sincos(0.5f, &h) * 0 + h", 0.877_582_561_890_372_8),
    ("(sincos((float4)(0, 1, 2, 0.5f), &h4), h4.w)", 0.877_582_561_890_372_8),
    ("(frexp((float2)(8, -12), &e2)).y * 100 + e2.y", -71.0),
    ("dot((float4)(1, 2, 3, 4), (float4)(4, 3, 2, 1))", 20.0),
    (
        "length((float3)(2, 3, 6)) + distance((float2)(0, 0), (float2)(3, 4)) + fast_length(-2.0f)",
        14.0,
    ),
    ("normalize((float3)(0, 3, 4)).z", 0.8),
    ("cross((float3)(1, 0, 0), (float3)(0, 1, 0)).z", 1.0),
    ("sqrt((float8)(16, 1, 1, 1, 1, 1, 1, 25)).s7 + exp2((float3)(1, 2, 3)).y", 9.0),
    ("fmax((float4)(1, 5, 2, 2), 3.0f).x + min((float2)(4, 7), 5.0f).y", 8.0),
    ("any((int4)(0, 1, -1, 0)) * 10 + all((int2)(-1, -5)) + any(1)", 11.0),
    ("select((float2)(1, 2), (float2)(3, 4), (int2)(0, -1)).y + select(1.0f, 2.0f, 1)", 6.0),
    (
        "isnan((float2)(NAN, 1)).x + isnan(NAN) + isless(1.0f, 2.0f) + signbit((float4)(-1, 1, 1, 1)).x",
        0.0,
    ),
    ("isfinite(INFINITY) + isinf(-INFINITY) * 10 + isnormal(1e-40f)", 10.0),
    ("bitselect(1.0f, -2.0f, as_float(0x80000000))", -1.0),
    (
        "shuffle((float4)(1, 2, 3, 4), (uint2)(3, 0)).x + shuffle2((float2)(5, 6), (float2)(7, 8), (uint4)(2, 9, 0, 7)).x",
        11.0,
    ),
    ("convert_int_rte(2.5f) * 100 + convert_int_rtp(2.1f) * 10 + convert_int(-2.9f)", 228.0),
    ("convert_uchar_sat(300) + convert_uchar_sat(-4) + convert_char_sat(200u)", 382.0),
    ("convert_int_sat(1e20f) - 2147483647 + convert_uchar4_sat((float4)(1, 2, -3, 999)).w", 255.0),
    ("convert_float4((int4)(1, 2, 3, -4)).w + convert_float(0xffffffffu) * 0", -4.0),
    ("abs(-7) + abs_diff(-3, 4) + abs((int2)(-5, 1)).x", 19.0),
    ("add_sat((char)120, (char)100) + sub_sat(3u, 5u)", 127.0),
    ("hadd(-3, 0) * 10 + rhadd(-3, 0)", -21.0),
    ("mul_hi(0x40000000, 8) + mul_hi(0x80000000u, 4u) + mad_hi(1 << 30, 4, 5)", 10.0),
    ("mad_sat((char)100, (char)2, (char)1) + mad_sat((uchar)100, (uchar)3, (uchar)1)", 382.0),
    ("rotate(0x40000000, 3) + popcount(255) + clz(1) + ctz(8)", 44.0),
    ("upsample((short)-1, (ushort)65534)", -2.0),
    ("upsample((uchar)1, (uchar)2) + mad24(3, 4, 5) + max((uint2)(3, 0xffffffff), 7u).x", 282.0),
    ("vload_half(1, halves) + vload_half2(0, halves).x", 3.5),
    ("get_global_linear_id() + get_local_linear_id() * 10 + get_num_sub_groups()", 1.0),
    ("work_group_all(1) * 10 + work_group_any(0)", 10.0),
];

fn opencl(text: &str, options: &RunOptions) -> RunOutcome {
    let language = Some(heddle_frontend::Language::OpenCl);
    let source =
        Source::Text { name: "<kernel>".to_owned(), bytes: text.as_bytes().to_vec(), language };
    run(&source, options, &Embedded).expect("a current folder")
}

#[test]
fn functions_of_opencl_give_what_their_definitions_say() {
    let body = lines(OPENCL.iter().map(|(text, _)| *text));
    let text = format!(
        "kernel void k(global float *out, global half *halves) {{\nint e; int2 e2; float h; float4 h4;\n\
         vstore_half(1.5f, 0, halves); vstore_half(2.0f, 1, halves);\n{body}}}"
    );
    let buffers =
        vec![buffer(&format!("out=f32[{}]:zeros", OPENCL.len())), buffer("halves=i16[2]")];
    let outcome = opencl(&text, &RunOptions { buffers, ..options(1, 1) });
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    let bytes = outcome.buffer("out").expect("the buffer");
    for ((text, expected), got) in OPENCL.iter().zip(bytes.chunks(4)) {
        let got = f64::from(f32::from_le_bytes(got.try_into().expect("four bytes")));
        assert!(
            (got - expected).abs() <= 1e-5 * expected.abs().max(1.0),
            "{text} is {got}, and not {expected}"
        );
    }
}

#[test]
fn what_opencl_stores_behind_a_pointer_is_checked() {
    let text = "kernel void k(global float *out, global int *power) {\n  size_t i = get_global_id(0);\n  \
                out[i] = frexp((float)i, power);\n}";
    let buffers = vec![buffer("out=f32[2]"), buffer("power=i32[1]")];
    let outcome = opencl(text, &RunOptions { buffers, ..options(1, 2) });
    assert!(
        codes(&outcome).iter().any(|it| it.to_string().starts_with("HD01")),
        "{:?}",
        outcome.report
    );
}

#[test]
fn opencl_prints_numbers_and_vectors() {
    let text = "kernel void k(global int *x) {\n  \
                printf(\"%d %.2f %v4hlf %v2hld %s %c|\\n\", *x, 1.5f, (float4)(1, 2, 3, 4), (int2)(-1, 2), \"text\", 'a');\n}";
    let outcome =
        opencl(text, &RunOptions { buffers: vec![buffer("x=i32[1]:value(7)")], ..options(1, 1) });
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    assert_eq!(outcome.printed, "7 1.50 1.000000,2.000000,3.000000,4.000000 -1,2 text a|\n");
}
