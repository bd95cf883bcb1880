// Floats of 6 bits, one to a byte: what number they stand for is computed here, rounding included.
#pragma once
#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

HEDDLE_BOTH float heddle_float_of_fp6(unsigned int v, __nv_fp6_interpretation_t kind) {
  unsigned int mantissa = kind == __NV_E2M3 ? 3 : 2, bias = kind == __NV_E2M3 ? 1 : 3;
  unsigned int exponent = (v & 31) >> mantissa, fraction = v & ((1u << mantissa) - 1);
  // The least step: 2 to the power of 1 - bias - mantissa.
  float step = 1.0f / (float)(1u << (bias - 1 + mantissa));
  float size = exponent == 0 ? step * (float)fraction
                             : step * (float)((1u << mantissa) + fraction) * (float)(1u << (exponent - 1));
  return v & 32 ? -size : size;
}
// To the nearest number, ties to even; what is too large, or no number, is the largest.
HEDDLE_BOTH __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind, cudaRoundMode) {
  unsigned int sign = x == x ? __builtin_bit_cast(unsigned int, x) >> 26 & 32 : 0;
  float size = x < 0 ? -x : x;
  unsigned int code = 31;
  for (unsigned int n = 0; n < 31; ++n) {
    float middle = 0.5f * (heddle_float_of_fp6(n, kind) + heddle_float_of_fp6(n + 1, kind));
    if (size < middle || (size == middle && n % 2 == 0)) {
      code = n;
      break;
    }
  }
  return (__nv_fp6_storage_t)(sign | code);
}
HEDDLE_BOTH __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 v, __nv_fp6_interpretation_t k, cudaRoundMode r) {
  return (__nv_fp6x2_storage_t)(__nv_cvt_float_to_fp6(v.x, k, r) | __nv_cvt_float_to_fp6(v.y, k, r) << 8);
}
HEDDLE_BOTH __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t v, __nv_fp6_interpretation_t k) {
  return __half(heddle_float_of_fp6(v, k));
}
#define HEDDLE_FP6(name, kind)                                                                                         \
  struct name {                                                                                                        \
    __nv_fp6_storage_t __x;                                                                                            \
    name() = default;                                                                                                  \
    HEDDLE_INLINE explicit name(float v) : __x(__nv_cvt_float_to_fp6(v, kind, cudaRoundNearest)) {}                    \
    HEDDLE_INLINE explicit name(double v) : name((float)v) {}                                                          \
    HEDDLE_INLINE explicit name(__half v) : name((float)v) {}                                                          \
    HEDDLE_INLINE explicit name(__nv_bfloat16 v) : name((float)v) {}                                                   \
    HEDDLE_INLINE explicit operator float() const { return heddle_float_of_fp6(__x, kind); }                           \
    HEDDLE_INLINE explicit operator double() const { return (double)(float)*this; }                                    \
    HEDDLE_INLINE explicit operator __half() const { return __half((float)*this); }                                    \
  };
HEDDLE_FP6(__nv_fp6_e2m3, __NV_E2M3)
HEDDLE_FP6(__nv_fp6_e3m2, __NV_E3M2)
#undef HEDDLE_FP6
