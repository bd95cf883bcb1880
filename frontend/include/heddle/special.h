// Functions that libm lacks, and functions with two results, by what math.h declares.
//
// A run on the CPU and a GPU compute them by formulas of ours: inverse error functions are good to about 1e-14, relative;
// the others differ from the device's by a few last bits. A proof knows only what they depend on.
#pragma once
#include "conversions.h"
#include "math.h"

// A number that is near what the device computes.
extern "C" HEDDLE_PURE float __nv_heddle_nearf(float);
extern "C" HEDDLE_PURE double __nv_heddle_near(double);

// A function of one, two or more values of `T`, for both kinds of floats and as an overload without suffix.
#define HEDDLE_SPECIAL(name, params, floats, doubles)                                                                  \
  HEDDLE_DEVICE double name params(double) { return __nv_heddle_near(doubles); }                                       \
  HEDDLE_DEVICE float name##f params(float) { return __nv_heddle_nearf(floats); }                                      \
  HEDDLE_DEVICE float name params(float) { return __nv_heddle_nearf(floats); }
#define HEDDLE_OF_1(_T) (_T x)
#define HEDDLE_OF_2(_T) (_T x, _T y)
#define HEDDLE_OF_3(_T) (_T x, _T y, _T z)
#define HEDDLE_OF_4(_T) (_T x, _T y, _T z, _T w)

HEDDLE_SPECIAL(rcbrt, HEDDLE_OF_1, 1.0f / cbrtf(x), 1.0 / cbrt(x))
HEDDLE_SPECIAL(rhypot, HEDDLE_OF_2, 1.0f / hypotf(x, y), 1.0 / hypot(x, y))
HEDDLE_SPECIAL(fdivide, HEDDLE_OF_2, x / y, x / y)
HEDDLE_SPECIAL(norm3d, HEDDLE_OF_3, hypotf(hypotf(x, y), z), hypot(hypot(x, y), z))
HEDDLE_SPECIAL(norm4d, HEDDLE_OF_4, hypotf(hypotf(x, y), hypotf(z, w)), hypot(hypot(x, y), hypot(z, w)))
HEDDLE_SPECIAL(rnorm3d, HEDDLE_OF_3, 1.0f / norm3df(x, y, z), 1.0 / norm3d(x, y, z))
HEDDLE_SPECIAL(rnorm4d, HEDDLE_OF_4, 1.0f / norm4df(x, y, z, w), 1.0 / norm4d(x, y, z, w))
// In half turns: whole turns are taken off first, which is exact.
HEDDLE_SPECIAL(sinpi, HEDDLE_OF_1, sinf(3.14159265f * (x - 2.0f * rintf(x * 0.5f))),
               sin(3.14159265358979324 * (x - 2.0 * rint(x * 0.5))))
HEDDLE_SPECIAL(cospi, HEDDLE_OF_1, cosf(3.14159265f * (x - 2.0f * rintf(x * 0.5f))),
               cos(3.14159265358979324 * (x - 2.0 * rint(x * 0.5))))
HEDDLE_SPECIAL(normcdf, HEDDLE_OF_1, 0.5f * erfcf(x * -0.70710678f), 0.5 * erfc(x * -0.70710678118654752))
// exp(x^2) erfc(x); from where erfc is near the smallest numbers on, the first terms of its expansion.
HEDDLE_DEVICE double erfcx(double x) {
  double t = 1.0 / (x * x);
  return x < 25.0 ? exp(x * x) * erfc(x)
                  : 0.56418958354775629 / x * (1.0 - t * (0.5 - t * (0.75 - t * (1.875 - t * 6.5625))));
}
HEDDLE_DEVICE float erfcxf(float x) { return (float)erfcx((double)x); }
HEDDLE_DEVICE float erfcx(float x) { return erfcxf(x); }

// A first guess (S. Winitzki's), and Newton's steps on the logarithm, which each double the good digits.
HEDDLE_DEVICE double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0)) return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
  double small = fmin(y, 2.0 - y), size = log(small * (2.0 - small)), half = 4.3307467508 + size * 0.5;
  double x = sqrt(sqrt(half * half - size / 0.147) - half);
  for (int step = 0; step < 4; ++step) {
    double at = erfc(x);
    x += log(at / small) * at * exp(x * x) * 0.88622692545275801;
  }
  return y > 1.0 ? -x : x;
}
HEDDLE_DEVICE double erfinv(double y) {
  double size = fabs(y);
  if (size >= 0.5) return copysign(erfcinv(1.0 - size), y);
  double x = y * 0.88622692545275801;
  for (int step = 0; step < 4; ++step) x -= (erf(x) - y) / (1.12837916709551257 * exp(-x * x));
  return x;
}
HEDDLE_DEVICE double normcdfinv(double y) { return -1.41421356237309505 * erfcinv(2.0 * y); }
HEDDLE_DEVICE float erfcinvf(float y) { return (float)erfcinv((double)y); }
HEDDLE_DEVICE float erfinvf(float y) { return (float)erfinv((double)y); }
HEDDLE_DEVICE float normcdfinvf(float y) { return (float)normcdfinv((double)y); }
HEDDLE_DEVICE float erfcinv(float y) { return erfcinvf(y); }
HEDDLE_DEVICE float erfinv(float y) { return erfinvf(y); }
HEDDLE_DEVICE float normcdfinv(float y) { return normcdfinvf(y); }

// Lengths of vectors.
HEDDLE_DEVICE float normf(int n, const float *p) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum = hypotf(sum, p[i]);
  return sum;
}
HEDDLE_DEVICE double norm(int n, const double *p) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum = hypot(sum, p[i]);
  return sum;
}
HEDDLE_DEVICE float rnormf(int n, const float *p) { return 1.0f / normf(n, p); }
HEDDLE_DEVICE double rnorm(int n, const double *p) { return 1.0 / norm(n, p); }

// Two results. The bits of a float are taken apart here, so that a run and the device agree.
HEDDLE_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
HEDDLE_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
HEDDLE_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
HEDDLE_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
HEDDLE_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
HEDDLE_DEVICE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
HEDDLE_DEVICE float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(isinf(x) ? 0.0f : x - *whole, x);
}
HEDDLE_DEVICE double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0.0 : x - *whole, x);
}
HEDDLE_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
HEDDLE_DEVICE double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0.0 || !isfinite(x)) return x;
  bool tiny = fabs(x) < 0x1p-1022;
  unsigned long long bits = __builtin_bit_cast(unsigned long long, tiny ? x * 0x1p54 : x);
  *exponent = (int)(bits >> 52 & 0x7ff) - 1022 - (tiny ? 54 : 0);
  return __builtin_bit_cast(double, (bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
HEDDLE_DEVICE float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
HEDDLE_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
HEDDLE_DEVICE double remquo(double x, double y, int *quotient) {
  // What is left of eight times the divisor has the same three bits, and is exact.
  double size = fabs(y), near = size < 0x1p1020 ? fmod(fabs(x), 8.0 * size) : fabs(x), rest = remainder(x, y);
  double times = rint((near - (x < 0.0 ? -rest : rest)) / size);
  int low = (int)times & 7;
  *quotient = (x < 0.0) == (y < 0.0) ? low : -low;
  return rest;
}
HEDDLE_DEVICE float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
HEDDLE_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
