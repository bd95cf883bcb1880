// Conversions between numbers, and arithmetic that names its rounding.
//
// A rounding other than to nearest is a function of its own: what it gives is not what an operator gives, and a proof
// knows no more of it than that it depends on its arguments. Runs compute it.
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

#define HEDDLE_TO_NEAREST(suffix)                                                                                      \
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
#define HEDDLE_ROUNDED(suffix)                                                                                         \
  extern "C" HEDDLE_PURE float __nv_int2float_##suffix(int x);                                                         \
  HEDDLE_DEVICE float __int2float_##suffix(int x) { return __nv_int2float_##suffix(x); }                               \
  extern "C" HEDDLE_PURE float __nv_uint2float_##suffix(unsigned int x);                                               \
  HEDDLE_DEVICE float __uint2float_##suffix(unsigned int x) { return __nv_uint2float_##suffix(x); }                    \
  extern "C" HEDDLE_PURE float __nv_ll2float_##suffix(long long x);                                                    \
  HEDDLE_DEVICE float __ll2float_##suffix(long long x) { return __nv_ll2float_##suffix(x); }                           \
  extern "C" HEDDLE_PURE float __nv_ull2float_##suffix(unsigned long long x);                                          \
  HEDDLE_DEVICE float __ull2float_##suffix(unsigned long long x) { return __nv_ull2float_##suffix(x); }                \
  extern "C" HEDDLE_PURE float __nv_double2float_##suffix(double x);                                                   \
  HEDDLE_DEVICE float __double2float_##suffix(double x) { return __nv_double2float_##suffix(x); }                      \
  extern "C" HEDDLE_PURE double __nv_ll2double_##suffix(long long x);                                                  \
  HEDDLE_DEVICE double __ll2double_##suffix(long long x) { return __nv_ll2double_##suffix(x); }                        \
  extern "C" HEDDLE_PURE double __nv_ull2double_##suffix(unsigned long long x);                                        \
  HEDDLE_DEVICE double __ull2double_##suffix(unsigned long long x) { return __nv_ull2double_##suffix(x); }             \
  extern "C" HEDDLE_PURE float __nv_fadd_##suffix(float a, float b);                                                   \
  HEDDLE_DEVICE float __fadd_##suffix(float a, float b) { return __nv_fadd_##suffix(a, b); }                           \
  extern "C" HEDDLE_PURE float __nv_fsub_##suffix(float a, float b);                                                   \
  HEDDLE_DEVICE float __fsub_##suffix(float a, float b) { return __nv_fsub_##suffix(a, b); }                           \
  extern "C" HEDDLE_PURE float __nv_fmul_##suffix(float a, float b);                                                   \
  HEDDLE_DEVICE float __fmul_##suffix(float a, float b) { return __nv_fmul_##suffix(a, b); }                           \
  extern "C" HEDDLE_PURE float __nv_fdiv_##suffix(float a, float b);                                                   \
  HEDDLE_DEVICE float __fdiv_##suffix(float a, float b) { return __nv_fdiv_##suffix(a, b); }                           \
  extern "C" HEDDLE_PURE float __nv_frcp_##suffix(float a);                                                            \
  HEDDLE_DEVICE float __frcp_##suffix(float a) { return __nv_frcp_##suffix(a); }                                       \
  extern "C" HEDDLE_PURE float __nv_fsqrt_##suffix(float a);                                                           \
  HEDDLE_DEVICE float __fsqrt_##suffix(float a) { return __nv_fsqrt_##suffix(a); }                                     \
  extern "C" HEDDLE_PURE float __nv_fmaf_##suffix(float a, float b, float c);                                          \
  HEDDLE_DEVICE float __fmaf_##suffix(float a, float b, float c) { return __nv_fmaf_##suffix(a, b, c); }               \
  extern "C" HEDDLE_PURE double __nv_dadd_##suffix(double a, double b);                                                \
  HEDDLE_DEVICE double __dadd_##suffix(double a, double b) { return __nv_dadd_##suffix(a, b); }                        \
  extern "C" HEDDLE_PURE double __nv_dsub_##suffix(double a, double b);                                                \
  HEDDLE_DEVICE double __dsub_##suffix(double a, double b) { return __nv_dsub_##suffix(a, b); }                        \
  extern "C" HEDDLE_PURE double __nv_dmul_##suffix(double a, double b);                                                \
  HEDDLE_DEVICE double __dmul_##suffix(double a, double b) { return __nv_dmul_##suffix(a, b); }                        \
  extern "C" HEDDLE_PURE double __nv_ddiv_##suffix(double a, double b);                                                \
  HEDDLE_DEVICE double __ddiv_##suffix(double a, double b) { return __nv_ddiv_##suffix(a, b); }                        \
  extern "C" HEDDLE_PURE double __nv_drcp_##suffix(double a);                                                          \
  HEDDLE_DEVICE double __drcp_##suffix(double a) { return __nv_drcp_##suffix(a); }                                     \
  extern "C" HEDDLE_PURE double __nv_dsqrt_##suffix(double a);                                                         \
  HEDDLE_DEVICE double __dsqrt_##suffix(double a) { return __nv_dsqrt_##suffix(a); }                                   \
  HEDDLE_DEVICE float __fmaf_ieee_##suffix(float a, float b, float c) { return __nv_fmaf_##suffix(a, b, c); }          \
  extern "C" HEDDLE_PURE double __nv_fma_##suffix(double a, double b, double c);                                       \
  HEDDLE_DEVICE double __fma_##suffix(double a, double b, double c) { return __nv_fma_##suffix(a, b, c); }
HEDDLE_TO_NEAREST(rn)
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
