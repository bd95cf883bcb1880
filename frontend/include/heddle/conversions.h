// Conversions between numbers, and arithmetic that names its rounding.
//
// To integers, the rounding is that of the name. The result of arithmetic and of conversions to floats is rounded to
// nearest, whatever the name asks for: it may differ from the device's in its last bit.
#pragma once
#include "integers.h"
#include "math.h"

#define HEDDLE_TO_INTEGER(suffix, toward)                                                                              \
  HEDDLE_DEVICE int __float2int_##suffix(float x) { return (int)toward##f(x); }                                        \
  HEDDLE_DEVICE unsigned int __float2uint_##suffix(float x) { return (unsigned int)toward##f(x); }                     \
  HEDDLE_DEVICE long long __float2ll_##suffix(float x) { return (long long)toward##f(x); }                             \
  HEDDLE_DEVICE unsigned long long __float2ull_##suffix(float x) { return (unsigned long long)toward##f(x); }          \
  HEDDLE_DEVICE int __double2int_##suffix(double x) { return (int)toward(x); }                                         \
  HEDDLE_DEVICE unsigned int __double2uint_##suffix(double x) { return (unsigned int)toward(x); }                      \
  HEDDLE_DEVICE long long __double2ll_##suffix(double x) { return (long long)toward(x); }                              \
  HEDDLE_DEVICE unsigned long long __double2ull_##suffix(double x) { return (unsigned long long)toward(x); }
HEDDLE_TO_INTEGER(rn, rint)
HEDDLE_TO_INTEGER(rz, trunc)
HEDDLE_TO_INTEGER(ru, ceil)
HEDDLE_TO_INTEGER(rd, floor)

#define HEDDLE_ROUNDED(suffix)                                                                                         \
  HEDDLE_DEVICE float __int2float_##suffix(int x) { return (float)x; }                                                 \
  HEDDLE_DEVICE float __uint2float_##suffix(unsigned int x) { return (float)x; }                                       \
  HEDDLE_DEVICE float __ll2float_##suffix(long long x) { return (float)x; }                                            \
  HEDDLE_DEVICE float __ull2float_##suffix(unsigned long long x) { return (float)x; }                                  \
  HEDDLE_DEVICE float __double2float_##suffix(double x) { return (float)x; }                                           \
  HEDDLE_DEVICE double __ll2double_##suffix(long long x) { return (double)x; }                                         \
  HEDDLE_DEVICE double __ull2double_##suffix(unsigned long long x) { return (double)x; }                               \
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
  HEDDLE_DEVICE double __drcp_##suffix(double a) { return 1.0 / a; }                                                   \
  HEDDLE_DEVICE double __dsqrt_##suffix(double a) { return sqrt(a); }                                                  \
  HEDDLE_DEVICE float __fmaf_ieee_##suffix(float a, float b, float c) { return fmaf(a, b, c); }                        \
  HEDDLE_DEVICE double __fma_##suffix(double a, double b, double c) { return fma(a, b, c); }
HEDDLE_ROUNDED(rn)
HEDDLE_ROUNDED(rz)
HEDDLE_ROUNDED(ru)
HEDDLE_ROUNDED(rd)
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
