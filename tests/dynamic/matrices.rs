//! Matrix instructions, beside a plain product: fragments as the PTX manual lays them out, numbers
//! that are exact.

use heddle_diagnostics::Code;
use heddle_driver::dynamic::RunOptions;
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran, words};

/// The elements of the factors and of the sum; small numbers, so that each type holds each product.
fn left(row: usize, column: usize) -> i32 {
    (row * 7 + column * 3) as i32 % 11 - 5
}

fn right(row: usize, column: usize) -> i32 {
    (row * 5 + column * 2) as i32 % 7 - 3
}

fn sum(row: usize, column: usize) -> i32 {
    (10 * row + column) as i32 % 50
}

fn product(m: usize, n: usize, k: usize) -> Vec<i32> {
    let at = |row, column| {
        sum(row, column) + (0..k).map(|it| left(row, it) * right(it, column)).sum::<i32>()
    };
    (0..m * n).map(|it| at(it / n, it % n)).collect()
}

/// The same elements in CUDA; `g` and `q` are the group and the lane within it, as the manual names
/// them.
const HEAD: &str = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n\
    #define A(r, c) (((r) * 7 + (c) * 3) % 11 - 5)\n#define B(r, c) (((r) * 5 + (c) * 2) % 7 - 3)\n\
    #define C(r, c) ((10 * (r) + (c)) % 50)\n\
    __device__ unsigned h2(int x, int y) { __half a((float)x), b((float)y);\n\
      return *(unsigned short *)&a | (unsigned)*(unsigned short *)&b << 16; }\n\
    __device__ unsigned b2(int x, int y) { return (__float_as_uint((float)x) >> 16) | (__float_as_uint((float)y) & 0xffff0000u); }\n\
    __device__ unsigned c4(int x, int y, int z, int w) { return (x & 255) | (y & 255) << 8 | (z & 255) << 16 | (unsigned)(w & 255) << 24; }\n\
    __device__ int low(unsigned x) { unsigned short b = x; return (int)(float)*(__half *)&b; }\n\
    __device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }\n";

fn warp(kernel: &str, schedule: Schedule) -> heddle_driver::dynamic::RunOutcome {
    let with = RunOptions {
        compile: CompileOptions { arch: "sm_90".to_owned(), ..CompileOptions::default() },
        buffers: vec![buffer("out=i32[1024]")],
        schedule,
        seed: 5,
        ..options(1, 32)
    };
    ran(&(HEAD.to_owned() + kernel), &with)
}

/// Runs a kernel of one warp under each schedule, and compares what it leaves.
fn gives(kernel: &str, expected: &[i32]) {
    for schedule in Schedule::ALL {
        let outcome = warp(kernel, schedule);
        assert_eq!(codes(&outcome), [], "{kernel}: {:?}", outcome.report);
        assert_eq!(words(&outcome, "out")[..expected.len()], *expected, "{schedule}: {kernel}");
    }
}

/// A kernel with the fragments of `mma` in registers.
fn mma(before: &str, opcode: &str, registers: &str, operands: &str, after: &str) -> String {
    format!(
        "__global__ void k(int *out) {{ int g = threadIdx.x / 4, q = threadIdx.x % 4;\n{before}\n\
         asm volatile(\"mma.sync.aligned.{opcode} {registers};\" : {operands});\n{after} }}"
    )
}

const F32: &str = "float d[4] = {(float)C(g, 2*q), (float)C(g, 2*q+1), (float)C(g+8, 2*q), (float)C(g+8, 2*q+1)};";
const STORE: &str = "out[g*8 + 2*q] = d[0]; out[g*8 + 2*q+1] = d[1]; out[(g+8)*8 + 2*q] = d[2]; out[(g+8)*8 + 2*q+1] = d[3];";
const D4: &str = "\"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3])";
const I4: &str = "\"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]), \"+r\"(d[3])";

#[test]
fn products_of_each_type_are_those_of_plain_arithmetic() {
    let k16 = "unsigned a[4] = {P(A(g,2*q), A(g,2*q+1)), P(A(g+8,2*q), A(g+8,2*q+1)), P(A(g,2*q+8), A(g,2*q+9)), P(A(g+8,2*q+8), A(g+8,2*q+9))};\n\
        unsigned b[2] = {P(B(2*q,g), B(2*q+1,g)), P(B(2*q+8,g), B(2*q+9,g))};";
    let k8 = "unsigned a[2] = {P(A(g,2*q), A(g,2*q+1)), P(A(g+8,2*q), A(g+8,2*q+1))}; unsigned b[1] = {P(B(2*q,g), B(2*q+1,g))};";
    let long = "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}";
    let short = "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3}";
    let six = "\"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1])";
    let three = "\"r\"(a[0]), \"r\"(a[1]), \"r\"(b[0])";
    for (opcode, pack) in [("f32.f16.f16.f32", "h2"), ("f32.bf16.bf16.f32", "b2")] {
        let (long_in, short_in) = (k16.replace('P', pack), k8.replace('P', pack));
        let kernel = mma(
            &(F32.to_owned() + &long_in),
            &format!("m16n8k16.row.col.{opcode}"),
            long,
            &format!("{D4} : {six}"),
            STORE,
        );
        gives(&kernel, &product(16, 8, 16));
        let kernel = mma(
            &(F32.to_owned() + &short_in),
            &format!("m16n8k8.row.col.{opcode}"),
            short,
            &format!("{D4} : {three}"),
            STORE,
        );
        gives(&kernel, &product(16, 8, 8));
    }
    let halves = "unsigned d[2] = {h2(C(g,2*q), C(g,2*q+1)), h2(C(g+8,2*q), C(g+8,2*q+1))};"
        .to_owned()
        + &k16.replace('P', "h2");
    let store = "out[g*8 + 2*q] = low(d[0]); out[g*8 + 2*q+1] = low(d[0] >> 16); out[(g+8)*8 + 2*q] = low(d[1]); out[(g+8)*8 + 2*q+1] = low(d[1] >> 16);";
    let kernel = mma(
        &halves,
        "m16n8k16.row.col.f16.f16.f16.f16",
        "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1}",
        &format!("\"+r\"(d[0]), \"+r\"(d[1]) : {six}"),
        store,
    );
    gives(&kernel, &product(16, 8, 16));
    let tf32 = "unsigned a[4] = {F(A(g,q)), F(A(g+8,q)), F(A(g,q+4)), F(A(g+8,q+4))}, b[2] = {F(B(q,g)), F(B(q+4,g))};"
        .replace("F(", "__float_as_uint((float)");
    let kernel = mma(
        &(F32.to_owned() + &tf32),
        "m16n8k8.row.col.f32.tf32.tf32.f32",
        long,
        &format!("{D4} : {six}"),
        STORE,
    );
    gives(&kernel, &product(16, 8, 8));
    let bytes = "int d[4] = {C(g, 2*q), C(g, 2*q+1), C(g+8, 2*q), C(g+8, 2*q+1)};\n\
        #define RA(r, c) c4(A(r, c), A(r, (c)+1), A(r, (c)+2), A(r, (c)+3))\n#define RB(r, c) c4(B(r, c), B((r)+1, c), B((r)+2, c), B((r)+3, c))\n\
        unsigned a[4] = {RA(g,4*q), RA(g+8,4*q), RA(g,4*q+16), RA(g+8,4*q+16)}, b[2] = {RB(4*q,g), RB(4*q+16,g)};";
    let kernel =
        mma(bytes, "m16n8k32.row.col.s32.s8.s8.s32", long, &format!("{I4} : {six}"), STORE);
    gives(&kernel, &product(16, 8, 32));
    let kernel = mma(
        bytes,
        "m16n8k16.row.col.satfinite.s32.s8.s8.s32",
        short,
        &format!("{I4} : {three}"),
        STORE,
    );
    gives(&kernel, &product(16, 8, 16));
    let doubles = "double d[2] = {(double)C(g,2*q), (double)C(g,2*q+1)}, a = A(g,q), b = B(q,g);";
    let kernel = mma(
        doubles,
        "m8n8k4.row.col.f64.f64.f64.f64",
        "{%0,%1}, {%2}, {%3}, {%0,%1}",
        "\"+d\"(d[0]), \"+d\"(d[1]) : \"d\"(a), \"d\"(b)",
        "out[g*8 + 2*q] = d[0]; out[g*8 + 2*q+1] = d[1];",
    );
    gives(&kernel, &product(8, 8, 4));
}

/// The usual way: factors from shared memory by `ldmatrix`, the second one transposed on the way.
const LOADED: &str = "__global__ void k(int *out) { int t = threadIdx.x, g = t / 4, q = t % 4;\n\
    __shared__ __align__(16) unsigned short a[256], b[128];\n\
    for (int i = t; i < 256; i += 32) a[i] = h2(A(i / 16, i % 16), 0);\n\
    for (int i = t; i < 128; i += 32) b[i] = h2(B(i / 8, i % 8), 0);\n\
    SYNC unsigned ra[4], rb[2];\n\
    asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\" : \"=r\"(ra[0]), \"=r\"(ra[1]), \"=r\"(ra[2]), \"=r\"(ra[3]) : \"r\"(at(&a[t % 16 * 16 + t / 16 * 8 + OFF])) : \"memory\");\n\
    asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\" : \"=r\"(rb[0]), \"=r\"(rb[1]) : \"r\"(at(&b[t % 16 * 8])) : \"memory\");\n\
    float d[4] = {(float)C(g, 2*q), (float)C(g, 2*q+1), (float)C(g+8, 2*q), (float)C(g+8, 2*q+1)};\n\
    asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\"\n\
      : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : \"r\"(ra[0]), \"r\"(ra[1]), \"r\"(ra[2]), \"r\"(ra[3]), \"r\"(rb[0]), \"r\"(rb[1]));\n\
    out[g*8 + 2*q] = d[0]; out[g*8 + 2*q+1] = d[1]; out[(g+8)*8 + 2*q] = d[2]; out[(g+8)*8 + 2*q+1] = d[3]; }";

#[test]
fn rows_of_matrices_are_loaded_and_checked() {
    let with = |sync: &str, off: &str| LOADED.replace("SYNC", sync).replace("OFF", off);
    gives(&with("__syncwarp();", "0"), &product(16, 8, 16));
    for schedule in Schedule::ALL {
        let races = warp(&with("", "0"), schedule);
        let found: Vec<_> =
            races.report.findings().filter(|it| it.code == Code::IntraWarpRace).collect();
        assert!(!found.is_empty(), "{schedule}: {:?}", races.report);
        let far = warp(&with("__syncwarp();", "4096"), schedule);
        assert!(codes(&far).contains(&Code::OutOfBounds), "{schedule}: {:?}", far.report);
    }
}

#[test]
fn rows_of_matrices_are_stored_and_transposed() {
    let kernel = "__global__ void k(int *out) { int t = threadIdx.x;\n\
        __shared__ __align__(16) unsigned short a[64], b[64], c[64], d[64]; unsigned r, s;\n\
        for (int i = t; i < 64; i += 32) a[i] = i; __syncwarp();\n\
        asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(r) : \"r\"(at(&a[t % 8 * 8])) : \"memory\");\n\
        asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :: \"r\"(at(&b[t % 8 * 8])), \"r\"(r) : \"memory\");\n\
        asm volatile(\"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};\" :: \"r\"(at(&c[t % 8 * 8])), \"r\"(r) : \"memory\");\n\
        asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(s) : \"r\"(r));\n\
        asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :: \"r\"(at(&d[t % 8 * 8])), \"r\"(s) : \"memory\");\n\
        __syncwarp(); for (int i = t; i < 64; i += 32) out[i] = b[i] + 100 * c[i] + 10000 * d[i]; }";
    let expected = (0..64).map(|i| {
        let turned = i % 8 * 8 + i / 8;
        i + 100 * turned + 10000 * turned
    });
    gives(kernel, &expected.collect::<Vec<_>>());
}

#[test]
fn tiles_are_loaded_multiplied_and_stored() {
    // Row by row and column by column, in shared memory and as intrinsics and inline PTX.
    let fill = "__global__ void k(int *out) { int t = threadIdx.x;\n\
        __shared__ __align__(32) unsigned short a[256], b[256]; __shared__ __align__(32) float c[256];\n\
        for (int i = t; i < 256; i += 32) { a[i] = h2(A(i / 16, i % 16), 0); b[i % 16 * 16 + i / 16] = h2(B(i / 16, i % 16), 0);\n\
          c[i] = C(i / 16, i % 16); } __syncwarp();\n";
    let intrinsics = "int fa[8], fb[8]; float fc[8];\n\
        __hmma_m16n16k16_ld_a(fa, (const int *)a, 16, 0); __hmma_m16n16k16_ld_b(fb, (const int *)b, 16, 1);\n\
        __hmma_m16n16k16_ld_c_f32(fc, c, 16, 0); __hmma_m16n16k16_mma_f32f32(fc, fa, fb, fc, 1, 0);\n\
        __syncwarp(); __hmma_m16n16k16_st_c_f32(c, fc, 16, 0);\n";
    let ptx = "unsigned fa[8], fb[8]; float f[8];\n\
        #define R8(c, f) c(f[0]), c(f[1]), c(f[2]), c(f[3]), c(f[4]), c(f[5]), c(f[6]), c(f[7])\n\
        asm volatile(\"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;\" : R8(\"=r\", fa) : \"r\"(at(a)), \"r\"(16) : \"memory\");\n\
        asm volatile(\"wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];\" : R8(\"=r\", fb) : \"r\"(at(b)) : \"memory\");\n\
        asm volatile(\"wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;\" : R8(\"=f\", f) : \"r\"(at(c)), \"r\"(16) : \"memory\");\n\
        asm volatile(\"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}, {%0,%1,%2,%3,%4,%5,%6,%7};\"\n\
          : R8(\"+f\", f) : R8(\"r\", fa), R8(\"r\", fb));\n\
        __syncwarp(); asm volatile(\"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;\" :: \"r\"(at(c)), R8(\"f\", f), \"r\"(16) : \"memory\");\n";
    let give = "__syncwarp(); for (int i = t; i < 256; i += 32) out[i] = c[i]; }";
    for middle in [intrinsics, ptx] {
        gives(&format!("{fill}{middle}{give}"), &product(16, 16, 16));
    }
}

#[test]
fn what_is_not_known_of_matrices_is_refused() {
    let kernel = mma(
        "float d[4] = {0, 0, 0, 0}; unsigned a[4] = {0}, b[2] = {0};",
        "m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
        "\"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1])",
        "out[g] = d[0];",
    );
    let outcome = warp(&kernel, Schedule::RoundRobin);
    let message = outcome.report.findings().map(|it| it.message.clone()).collect::<String>();
    assert!(outcome.exit_code() == 2 && message.contains("e4m3"), "{message}");
}
