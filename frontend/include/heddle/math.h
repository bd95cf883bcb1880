// Mathematics: declared only, as functions of their arguments and nothing else.
//
// No verdict depends on what a sine is, so none is defined; `sqrtf` and its like become LLVM intrinsics, the others stay
// calls that touch no memory. Names with C linkage overload those of <math.h>, which are for the host.
#pragma once
#include "words.h"

#define HEDDLE_MATH_1(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float);                                                                         \
  extern "C" HEDDLE_PURE double name(double);                                                                          \
  HEDDLE_PURE float name(float);
#define HEDDLE_MATH_2(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float, float);                                                                  \
  extern "C" HEDDLE_PURE double name(double, double);                                                                  \
  HEDDLE_PURE float name(float, float);
#define HEDDLE_MATH_3(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float, float, float);                                                           \
  extern "C" HEDDLE_PURE double name(double, double, double);                                                          \
  HEDDLE_PURE float name(float, float, float);

HEDDLE_MATH_1(acos)
HEDDLE_MATH_1(acosh)
HEDDLE_MATH_1(asin)
HEDDLE_MATH_1(asinh)
HEDDLE_MATH_1(atan)
HEDDLE_MATH_1(atanh)
HEDDLE_MATH_1(cbrt)
HEDDLE_MATH_1(ceil)
HEDDLE_MATH_1(cos)
HEDDLE_MATH_1(cosh)
HEDDLE_MATH_1(erf)
HEDDLE_MATH_1(erfc)
HEDDLE_MATH_1(exp)
HEDDLE_MATH_1(exp2)
HEDDLE_MATH_1(exp10)
HEDDLE_MATH_1(expm1)
HEDDLE_MATH_1(fabs)
HEDDLE_MATH_1(floor)
HEDDLE_MATH_1(lgamma)
HEDDLE_MATH_1(log)
HEDDLE_MATH_1(log10)
HEDDLE_MATH_1(log1p)
HEDDLE_MATH_1(log2)
HEDDLE_MATH_1(logb)
HEDDLE_MATH_1(nearbyint)
HEDDLE_MATH_1(rint)
HEDDLE_MATH_1(round)
HEDDLE_MATH_1(sin)
HEDDLE_MATH_1(sinh)
HEDDLE_MATH_1(sqrt)
HEDDLE_MATH_1(tan)
HEDDLE_MATH_1(tanh)
HEDDLE_MATH_1(tgamma)
HEDDLE_MATH_1(trunc)
HEDDLE_MATH_1(rsqrt)
HEDDLE_MATH_1(rcbrt)
HEDDLE_MATH_1(erfinv)
HEDDLE_MATH_1(erfcinv)
HEDDLE_MATH_1(erfcx)
HEDDLE_MATH_1(normcdf)
HEDDLE_MATH_1(normcdfinv)
HEDDLE_MATH_1(cospi)
HEDDLE_MATH_1(sinpi)
HEDDLE_MATH_1(j0)
HEDDLE_MATH_1(j1)
HEDDLE_MATH_1(y0)
HEDDLE_MATH_1(y1)
HEDDLE_MATH_2(atan2)
HEDDLE_MATH_2(copysign)
HEDDLE_MATH_2(fdim)
HEDDLE_MATH_2(fmax)
HEDDLE_MATH_2(fmin)
HEDDLE_MATH_2(fmod)
HEDDLE_MATH_2(hypot)
HEDDLE_MATH_2(pow)
HEDDLE_MATH_2(remainder)
HEDDLE_MATH_2(nextafter)
HEDDLE_MATH_2(rhypot)
HEDDLE_MATH_2(fdivide)
HEDDLE_MATH_3(fma)
HEDDLE_MATH_3(norm3d)
HEDDLE_MATH_3(rnorm3d)

extern "C" {
HEDDLE_PURE float ldexpf(float, int);
HEDDLE_PURE double ldexp(double, int);
HEDDLE_PURE float scalbnf(float, int);
HEDDLE_PURE double scalbn(double, int);
HEDDLE_PURE float powif(float, int);
HEDDLE_PURE double powi(double, int);
HEDDLE_PURE int ilogbf(float);
HEDDLE_PURE int ilogb(double);
HEDDLE_PURE long lroundf(float);
HEDDLE_PURE long lround(double);
HEDDLE_PURE long long llroundf(float);
HEDDLE_PURE long long llround(double);
HEDDLE_PURE long lrintf(float);
HEDDLE_PURE long lrint(double);
__attribute__((device, nothrow)) void sincosf(float, float *, float *);
__attribute__((device, nothrow)) void sincos(double, double *, double *);
__attribute__((device, nothrow)) void sincospif(float, float *, float *);
__attribute__((device, nothrow)) void sincospi(double, double *, double *);
__attribute__((device, nothrow)) float modff(float, float *);
__attribute__((device, nothrow)) double modf(double, double *);
__attribute__((device, nothrow)) float frexpf(float, int *);
__attribute__((device, nothrow)) double frexp(double, int *);
}
HEDDLE_PURE float pow(float, int);
HEDDLE_PURE double pow(double, int);

HEDDLE_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
HEDDLE_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
HEDDLE_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
HEDDLE_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
HEDDLE_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
HEDDLE_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
HEDDLE_DEVICE bool signbit(float x) { return __builtin_signbit(x); }
HEDDLE_DEVICE bool signbit(double x) { return __builtin_signbit(x); }

// Integers.
#define HEDDLE_MIN_MAX(T)                                                                                              \
  HEDDLE_BOTH T min(T a, T b) { return a < b ? a : b; }                                                              \
  HEDDLE_BOTH T max(T a, T b) { return a > b ? a : b; }
HEDDLE_MIN_MAX(int)
HEDDLE_MIN_MAX(unsigned int)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
HEDDLE_MIN_MAX(float)
HEDDLE_MIN_MAX(double)
HEDDLE_BOTH unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
HEDDLE_BOTH unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
HEDDLE_BOTH unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
HEDDLE_BOTH unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
HEDDLE_BOTH double min(float a, double b) { return min((double)a, b); }
HEDDLE_BOTH double min(double a, float b) { return min(a, (double)b); }
HEDDLE_BOTH double max(float a, double b) { return max((double)a, b); }
HEDDLE_BOTH double max(double a, float b) { return max(a, (double)b); }
HEDDLE_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
HEDDLE_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
extern "C" HEDDLE_PURE int abs(int);
extern "C" HEDDLE_PURE long labs(long);
extern "C" HEDDLE_PURE long long llabs(long long);
HEDDLE_DEVICE long abs(long x) { return x < 0 ? -x : x; }
HEDDLE_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
HEDDLE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
HEDDLE_DEVICE double abs(double x) { return __builtin_fabs(x); }
HEDDLE_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
HEDDLE_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
HEDDLE_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
HEDDLE_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
HEDDLE_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
HEDDLE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HEDDLE_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
HEDDLE_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
HEDDLE_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
HEDDLE_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
HEDDLE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
HEDDLE_DEVICE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
HEDDLE_DEVICE int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
HEDDLE_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
HEDDLE_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
HEDDLE_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
HEDDLE_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s) { return __nvvm_prmt(a, b, s); }
HEDDLE_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int n) {
  return (unsigned int)(((((unsigned long long)high << 32) | low) << (n & 31)) >> 32);
}
HEDDLE_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int n) {
  return (unsigned int)((((unsigned long long)high << 32) | low) >> (n & 31));
}

// Conversions. The rounding that a name asks for is dropped: no index is computed by rounding modes.
#define HEDDLE_CONVERT(suffix)                                                                                         \
  HEDDLE_DEVICE int __float2int_##suffix(float x) { return (int)x; }                                                   \
  HEDDLE_DEVICE unsigned int __float2uint_##suffix(float x) { return (unsigned int)x; }                                \
  HEDDLE_DEVICE long long __float2ll_##suffix(float x) { return (long long)x; }                                        \
  HEDDLE_DEVICE unsigned long long __float2ull_##suffix(float x) { return (unsigned long long)x; }                     \
  HEDDLE_DEVICE float __int2float_##suffix(int x) { return (float)x; }                                                 \
  HEDDLE_DEVICE float __uint2float_##suffix(unsigned int x) { return (float)x; }                                       \
  HEDDLE_DEVICE float __ll2float_##suffix(long long x) { return (float)x; }                                            \
  HEDDLE_DEVICE float __ull2float_##suffix(unsigned long long x) { return (float)x; }                                  \
  HEDDLE_DEVICE int __double2int_##suffix(double x) { return (int)x; }                                                 \
  HEDDLE_DEVICE unsigned int __double2uint_##suffix(double x) { return (unsigned int)x; }                              \
  HEDDLE_DEVICE long long __double2ll_##suffix(double x) { return (long long)x; }                                      \
  HEDDLE_DEVICE float __double2float_##suffix(double x) { return (float)x; }                                           \
  HEDDLE_DEVICE double __ll2double_##suffix(long long x) { return (double)x; }                                         \
  HEDDLE_DEVICE float __fadd_##suffix(float a, float b) { return a + b; }                                              \
  HEDDLE_DEVICE float __fsub_##suffix(float a, float b) { return a - b; }                                              \
  HEDDLE_DEVICE float __fmul_##suffix(float a, float b) { return a * b; }                                              \
  HEDDLE_DEVICE float __fdiv_##suffix(float a, float b) { return a / b; }                                              \
  HEDDLE_DEVICE float __frcp_##suffix(float a) { return 1.0f / a; }                                                    \
  HEDDLE_DEVICE float __fsqrt_##suffix(float a) { return sqrtf(a); }                                                   \
  HEDDLE_DEVICE float __fmaf_##suffix(float a, float b, float c) { return fmaf(a, b, c); }                             \
  HEDDLE_DEVICE double __dadd_##suffix(double a, double b) { return a + b; }                                           \
  HEDDLE_DEVICE double __dsub_##suffix(double a, double b) { return a - b; }                                           \
  HEDDLE_DEVICE double __dmul_##suffix(double a, double b) { return a * b; }                                           \
  HEDDLE_DEVICE double __ddiv_##suffix(double a, double b) { return a / b; }                                           \
  HEDDLE_DEVICE double __dsqrt_##suffix(double a) { return sqrt(a); }                                                  \
  HEDDLE_DEVICE double __fma_##suffix(double a, double b, double c) { return fma(a, b, c); }
HEDDLE_CONVERT(rn)
HEDDLE_CONVERT(rz)
HEDDLE_CONVERT(ru)
HEDDLE_CONVERT(rd)
HEDDLE_DEVICE float __frsqrt_rn(float a) { return rsqrtf(a); }
HEDDLE_DEVICE double __int2double_rn(int x) { return (double)x; }
HEDDLE_DEVICE double __uint2double_rn(unsigned int x) { return (double)x; }
HEDDLE_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
HEDDLE_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
HEDDLE_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
HEDDLE_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
HEDDLE_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
HEDDLE_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
HEDDLE_DEVICE int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
HEDDLE_DEVICE int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
HEDDLE_DEVICE double __hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned int)hi << 32 | (unsigned int)lo);
}

// Fast variants.
HEDDLE_DEVICE float __expf(float x) { return expf(x); }
HEDDLE_DEVICE float __exp10f(float x) { return exp10f(x); }
HEDDLE_DEVICE float __logf(float x) { return logf(x); }
HEDDLE_DEVICE float __log2f(float x) { return log2f(x); }
HEDDLE_DEVICE float __log10f(float x) { return log10f(x); }
HEDDLE_DEVICE float __sinf(float x) { return sinf(x); }
HEDDLE_DEVICE float __cosf(float x) { return cosf(x); }
HEDDLE_DEVICE float __tanf(float x) { return tanf(x); }
HEDDLE_DEVICE float __powf(float x, float y) { return powf(x, y); }
HEDDLE_DEVICE float __fdividef(float x, float y) { return x / y; }
HEDDLE_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
HEDDLE_DEVICE void __sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
