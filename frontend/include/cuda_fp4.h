// Floats of 4 bits, two to a byte: a sign, two bits of exponent, one of fraction. What number they stand for is computed
// here, rounding included.
#pragma once
#include "cuda_fp8.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

// To the nearest number, ties to even; what is too large, or no number, is the largest.
HEDDLE_BOTH __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, cudaRoundMode) {
  unsigned int sign = x == x ? __builtin_bit_cast(unsigned int, x) >> 28 & 8 : 0;
  float size = x < 0 ? -x : x;
  // Halfway between two neighbours, the one with an even last bit is taken.
  unsigned int code = size <= 0.25f  ? 0
                      : size < 0.75f ? 1
                      : size <= 1.25f ? 2
                      : size < 1.75f  ? 3
                      : size <= 2.5f  ? 4
                      : size < 3.5f   ? 5
                      : size <= 5.0f  ? 6
                                      : 7;
  return (__nv_fp4_storage_t)(sign | code);
}
HEDDLE_BOTH float heddle_float_of_fp4(unsigned int v) {
  unsigned int exponent = v >> 1 & 3, fraction = v & 1;
  float size = exponent == 0 ? 0.5f * (float)fraction : 0.25f * (float)(2 + fraction) * (float)(1u << exponent);
  return v & 8 ? -size : size;
}
HEDDLE_BOTH __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_float_to_fp4((float)x, k, r);
}
HEDDLE_BOTH __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 v, __nv_fp4_interpretation_t k, cudaRoundMode r) {
  return (__nv_fp4x2_storage_t)(__nv_cvt_float_to_fp4(v.x, k, r) | __nv_cvt_float_to_fp4(v.y, k, r) << 4);
}
HEDDLE_BOTH __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_float_to_fp4((float)__half(x), k, r);
}
HEDDLE_BOTH __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw x, __nv_fp4_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_float2_to_fp4x2({(float)__half(__half_raw{x.x}), (float)__half(__half_raw{x.y})}, k, r);
}
HEDDLE_BOTH __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw x, __nv_fp4_interpretation_t k,
                                                                cudaRoundMode r) {
  return __nv_cvt_float2_to_fp4x2(
      {(float)__nv_bfloat16(__nv_bfloat16_raw{x.x}), (float)__nv_bfloat16(__nv_bfloat16_raw{x.y})}, k, r);
}
HEDDLE_BOTH __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t v, __nv_fp4_interpretation_t) {
  return __half(heddle_float_of_fp4(v));
}
HEDDLE_BOTH __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t v, __nv_fp4_interpretation_t k) {
  return {__nv_cvt_fp4_to_halfraw(v & 15, k).x, __nv_cvt_fp4_to_halfraw(v >> 4, k).x};
}

struct __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
  __nv_fp4_e2m1() = default;
  HEDDLE_INLINE explicit __nv_fp4_e2m1(float v) : __x(__nv_cvt_float_to_fp4(v, __NV_E2M1, cudaRoundNearest)) {}
  HEDDLE_INLINE explicit __nv_fp4_e2m1(double v) : __nv_fp4_e2m1((float)v) {}
  HEDDLE_INLINE explicit __nv_fp4_e2m1(__half v) : __nv_fp4_e2m1((float)v) {}
  HEDDLE_INLINE explicit __nv_fp4_e2m1(__nv_bfloat16 v) : __nv_fp4_e2m1((float)v) {}
  HEDDLE_INLINE explicit operator float() const { return heddle_float_of_fp4(__x); }
  HEDDLE_INLINE explicit operator double() const { return (double)(float)*this; }
  HEDDLE_INLINE explicit operator __half() const { return __half((float)*this); }
};
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
  __nv_fp4x2_e2m1() = default;
  HEDDLE_INLINE explicit __nv_fp4x2_e2m1(float2 v) : __x(__nv_cvt_float2_to_fp4x2(v, __NV_E2M1, cudaRoundNearest)) {}
  HEDDLE_INLINE explicit __nv_fp4x2_e2m1(__half2 v) : __nv_fp4x2_e2m1(__half22float2(v)) {}
  HEDDLE_INLINE explicit operator float2() const { return {heddle_float_of_fp4(__x & 15), heddle_float_of_fp4(__x >> 4)}; }
  HEDDLE_INLINE explicit operator __half2() const { return __float22half2_rn((float2)*this); }
};
struct __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
  __nv_fp4x4_e2m1() = default;
  HEDDLE_INLINE explicit __nv_fp4x4_e2m1(float4 v)
      : __x(__nv_cvt_float2_to_fp4x2({v.x, v.y}, __NV_E2M1, cudaRoundNearest) |
            __nv_cvt_float2_to_fp4x2({v.z, v.w}, __NV_E2M1, cudaRoundNearest) << 8) {}
  HEDDLE_INLINE explicit operator float4() const {
    return {heddle_float_of_fp4(__x & 15), heddle_float_of_fp4(__x >> 4 & 15), heddle_float_of_fp4(__x >> 8 & 15),
            heddle_float_of_fp4(__x >> 12)};
  }
};
