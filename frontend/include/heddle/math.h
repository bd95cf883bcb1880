// Mathematics: declared only, as functions of their arguments and nothing else.
//
// No verdict depends on what a sine is, so none is defined; `sqrtf` and its like become LLVM intrinsics, the others stay
// calls that touch no memory, and are known by their names (`frontend/lift/src/call/known.rs`). Names with C linkage
// overload those of <math.h>, which are for the host.
#pragma once
#include "words.h"

// Of integers, as in <cmath>: those of type double.
template <bool heddle_is, class heddle_type> struct heddle_where {};
template <class heddle_type> struct heddle_where<true, heddle_type> { typedef heddle_type type; };

#define HEDDLE_MATH_1(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float);                                                                         \
  extern "C" HEDDLE_PURE double name(double);                                                                          \
  HEDDLE_DEVICE float name(float x) { return name##f(x); }                                                             \
  template <class heddle_type>                                                                                         \
  HEDDLE_DEVICE typename heddle_where<__is_integral(heddle_type), double>::type name(heddle_type x) {                  \
    return name((double)x);                                                                                            \
  }
#define HEDDLE_MATH_2(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float, float);                                                                  \
  extern "C" HEDDLE_PURE double name(double, double);                                                                  \
  HEDDLE_DEVICE float name(float x, float y) { return name##f(x, y); }
#define HEDDLE_MATH_3(name)                                                                                            \
  extern "C" HEDDLE_PURE float name##f(float, float, float);                                                           \
  extern "C" HEDDLE_PURE double name(double, double, double);                                                          \
  HEDDLE_DEVICE float name(float x, float y, float z) { return name##f(x, y, z); }

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
HEDDLE_MATH_1(j0)
HEDDLE_MATH_1(j1)
HEDDLE_MATH_1(y0)
HEDDLE_MATH_1(y1)
HEDDLE_MATH_1(cyl_bessel_i0)
HEDDLE_MATH_1(cyl_bessel_i1)
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
HEDDLE_MATH_3(fma)

extern "C" {
HEDDLE_PURE float ldexpf(float, int);
HEDDLE_PURE double ldexp(double, int);
HEDDLE_PURE float scalbnf(float, int);
HEDDLE_PURE double scalbn(double, int);
HEDDLE_PURE int ilogbf(float);
HEDDLE_PURE int ilogb(double);
HEDDLE_PURE long lroundf(float);
HEDDLE_PURE long lround(double);
HEDDLE_PURE long long llroundf(float);
HEDDLE_PURE long long llround(double);
HEDDLE_PURE long lrintf(float);
HEDDLE_PURE long lrint(double);
HEDDLE_PURE long long llrintf(float);
HEDDLE_PURE long long llrint(double);
HEDDLE_PURE float scalblnf(float, long);
HEDDLE_PURE double scalbln(double, long);
HEDDLE_PURE float jnf(int, float);
HEDDLE_PURE double jn(int, double);
HEDDLE_PURE float ynf(int, float);
HEDDLE_PURE double yn(int, double);
}
HEDDLE_DEVICE float pow(float x, int n) { return powf(x, (float)n); }
HEDDLE_DEVICE double pow(double x, int n) { return pow(x, (double)n); }
// Of two types, as the host's C++ library has it.
HEDDLE_DEVICE double pow(float x, double y) { return pow((double)x, y); }
HEDDLE_DEVICE double pow(double x, float y) { return pow(x, (double)y); }
template <class _X, class _Y> struct heddle_whole_power {};
#define HEDDLE_WHOLE_POWER(_I)                                                                                         \
  template <class _Y> struct heddle_whole_power<_I, _Y> { typedef double Type; };
HEDDLE_WHOLE_POWER(int)
HEDDLE_WHOLE_POWER(unsigned int)
HEDDLE_WHOLE_POWER(long)
HEDDLE_WHOLE_POWER(unsigned long)
HEDDLE_WHOLE_POWER(long long)
HEDDLE_WHOLE_POWER(unsigned long long)
#undef HEDDLE_WHOLE_POWER
template <class _X, class _Y> HEDDLE_DEVICE typename heddle_whole_power<_X, _Y>::Type pow(_X x, _Y y) {
  return pow((double)x, (double)y);
}
HEDDLE_DEVICE float pow(float x, unsigned int n) { return powf(x, (float)n); }
HEDDLE_DEVICE double pow(double x, unsigned int n) { return pow(x, (double)n); }
HEDDLE_DEVICE float powif(float x, int n) { return powf(x, (float)n); }
HEDDLE_DEVICE double powi(double x, int n) { return pow(x, (double)n); }

HEDDLE_DEVICE double nan(const char *) { return __builtin_nan(""); }
HEDDLE_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
HEDDLE_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
HEDDLE_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
HEDDLE_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
HEDDLE_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
HEDDLE_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
HEDDLE_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
HEDDLE_DEVICE bool signbit(float x) { return __builtin_signbit(x); }
HEDDLE_DEVICE bool signbit(double x) { return __builtin_signbit(x); }

// Fast variants: near the functions of their names, and not the same.
#define HEDDLE_FAST(name)                                                                                              \
  extern "C" HEDDLE_PURE float __nv_fast_##name(float);                                                                \
  HEDDLE_DEVICE float __##name(float x) { return __nv_fast_##name(x); }
HEDDLE_FAST(expf)
HEDDLE_FAST(exp10f)
HEDDLE_FAST(logf)
HEDDLE_FAST(log2f)
HEDDLE_FAST(log10f)
HEDDLE_FAST(sinf)
HEDDLE_FAST(cosf)
HEDDLE_FAST(tanf)
HEDDLE_FAST(tanhf)
#undef HEDDLE_FAST
extern "C" HEDDLE_PURE float __nv_fast_powf(float, float);
extern "C" HEDDLE_PURE float __nv_fast_fdividef(float, float);
HEDDLE_DEVICE float __powf(float x, float y) { return __nv_fast_powf(x, y); }
HEDDLE_DEVICE float __fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
HEDDLE_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
HEDDLE_DEVICE void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
