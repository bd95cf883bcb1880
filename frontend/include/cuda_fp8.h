// Floats of 8 bits: stored as bytes. What number a byte stands for is computed here, rounding included.
#pragma once
#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// To the nearest number of the format, ties to even; what is too large is the largest (or, in E5M2 on demand, infinite).
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturates, __nv_fp8_interpretation_t kind) {
  int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  unsigned int bits = __builtin_bit_cast(unsigned int, x), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;
  unsigned int largest = kind == __NV_E4M3 ? 0x7e : 0x7b, infinite = kind == __NV_E4M3 ? 0x7f : 0x7c;
  if (size > 0x7f800000)
    return (__nv_fp8_storage_t)(sign | 0x7f);
  int exponent = (int)(size >> 23) - 127 + bias, shift = 23 - mantissa;
  unsigned int fraction = (size & 0x7fffff) | (size >> 23 ? 0x800000 : 0);
  if (exponent < 1) {
    shift += 1 - exponent;
    exponent = 1;
  }
  unsigned int kept = shift > 31 ? 0 : fraction >> shift;
  unsigned int rest = shift > 31 ? 0 : fraction & ((1u << shift) - 1), half = shift > 31 ? 1 : 1u << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  unsigned int result = ((unsigned int)(exponent - 1) << mantissa) + kept;
  if (size == 0)
    result = 0;
  if (result > largest || exponent > 2 * bias + 2)
    result = saturates == __NV_SATFINITE ? largest : infinite;
  return (__nv_fp8_storage_t)(sign | result);
}
HEDDLE_BOTH float heddle_float_of_fp8(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  int size = v & 0x7f, exponent = size >> mantissa, fraction = size & ((1 << mantissa) - 1);
  float value;
  if (kind == __NV_E4M3 ? size == 0x7f : size > 0x7c)
    value = __builtin_nanf("");
  else if (kind == __NV_E5M2 && size == 0x7c)
    value = __builtin_inff();
  else if (exponent == 0)
    value = (float)fraction * __builtin_bit_cast(float, (unsigned int)(128 - bias - mantissa) << 23);
  else
    value = __builtin_bit_cast(float, (unsigned int)(exponent - bias + 127) << 23 | (unsigned int)fraction << (23 - mantissa));
  return v & 0x80 ? -value : value;
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)x, s, k);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(v.x, s, k) | __nv_cvt_float_to_fp8(v.y, s, k) << 8);
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__half(x), s, k);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                            __nv_fp8_interpretation_t k) {
  return __nv_cvt_float2_to_fp8x2({(float)__half(__half_raw{x.x}), (float)__half(__half_raw{x.y})}, s, k);
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), s, k);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t s,
                                                                __nv_fp8_interpretation_t k) {
  return __nv_cvt_float2_to_fp8x2({(float)__nv_bfloat16(__nv_bfloat16_raw{x.x}), (float)__nv_bfloat16(__nv_bfloat16_raw{x.y})},
                                  s, k);
}
HEDDLE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t k) {
  return __half(heddle_float_of_fp8(v, k));
}
HEDDLE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t k) {
  return {__nv_cvt_fp8_to_halfraw((unsigned char)v, k).x, __nv_cvt_fp8_to_halfraw((unsigned char)(v >> 8), k).x};
}

// Powers of two in a byte: the exponent alone. The lowest one is a subnormal number of a bfloat16.
HEDDLE_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(unsigned char v) {
  return {(unsigned short)(v == 0 ? 0x40 : v == 255 ? 0x7fff : v << 7)};
}
HEDDLE_BOTH float heddle_float_of_e8m0(unsigned char v) {
  return (float)__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(v));
}
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  // The power of two that is as large or the next one.
  HEDDLE_INLINE explicit __nv_fp8_e8m0(float v) {
    unsigned int bits = __builtin_bit_cast(unsigned int, v) & 0x7fffffff, up = (bits >> 23) + ((bits & 0x7fffff) != 0);
    __x = (__nv_fp8_storage_t)(bits > 0x7f800000 ? 255 : up > 254 ? 254 : up);
  }
  HEDDLE_INLINE explicit operator float() const { return heddle_float_of_e8m0(__x); }
  HEDDLE_INLINE explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
};

#define HEDDLE_FP8(name, kind)                                                                                         \
  struct __nv_fp8_##name {                                                                                             \
    __nv_fp8_storage_t __x;                                                                                            \
    __nv_fp8_##name() = default;                                                                                       \
    HEDDLE_INLINE explicit __nv_fp8_##name(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)) {}           \
    HEDDLE_INLINE explicit __nv_fp8_##name(double v) : __nv_fp8_##name((float)v) {}                                    \
    HEDDLE_INLINE explicit __nv_fp8_##name(int v) : __nv_fp8_##name((float)v) {}                                       \
    HEDDLE_INLINE explicit __nv_fp8_##name(__half v) : __nv_fp8_##name((float)v) {}                                    \
    HEDDLE_INLINE explicit __nv_fp8_##name(__nv_bfloat16 v) : __nv_fp8_##name((float)v) {}                             \
    HEDDLE_INLINE explicit operator float() const { return heddle_float_of_fp8(__x, kind); }                           \
    HEDDLE_INLINE explicit operator double() const { return (double)(float)*this; }                                    \
    HEDDLE_INLINE explicit operator __half() const { return __half((float)*this); }                                    \
    HEDDLE_INLINE explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }                      \
    HEDDLE_INLINE explicit operator int() const { return (int)(float)*this; }                                          \
    HEDDLE_INLINE explicit operator bool() const { return __x & 0x7f; }                                                \
  };                                                                                                                   \
  struct __attribute__((aligned(2))) __nv_fp8x2_##name {                                                               \
    __nv_fp8x2_storage_t __x;                                                                                          \
    __nv_fp8x2_##name() = default;                                                                                     \
    HEDDLE_INLINE explicit __nv_fp8x2_##name(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}     \
    HEDDLE_INLINE explicit __nv_fp8x2_##name(__half2 v) : __nv_fp8x2_##name(__half22float2(v)) {}                      \
    HEDDLE_INLINE explicit operator float2() const {                                                                   \
      return {heddle_float_of_fp8((unsigned char)__x, kind), heddle_float_of_fp8((unsigned char)(__x >> 8), kind)};    \
    }                                                                                                                  \
    HEDDLE_INLINE explicit operator __half2() const { return __float22half2_rn((float2)*this); }                       \
  };                                                                                                                   \
  struct __attribute__((aligned(4))) __nv_fp8x4_##name {                                                               \
    __nv_fp8x4_storage_t __x;                                                                                          \
    __nv_fp8x4_##name() = default;                                                                                     \
    HEDDLE_INLINE explicit __nv_fp8x4_##name(float4 v)                                                                 \
        : __x(__nv_cvt_float2_to_fp8x2({v.x, v.y}, __NV_SATFINITE, kind) |                                             \
              (unsigned int)__nv_cvt_float2_to_fp8x2({v.z, v.w}, __NV_SATFINITE, kind) << 16) {}                       \
    HEDDLE_INLINE explicit __nv_fp8x4_##name(__half2 a, __half2 b)                                                     \
        : __nv_fp8x4_##name(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {}                                 \
    HEDDLE_INLINE explicit __nv_fp8x4_##name(__nv_bfloat162 a, __nv_bfloat162 b)                                       \
        : __nv_fp8x4_##name(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {}                                 \
    HEDDLE_INLINE explicit operator float4() const {                                                                   \
      return {heddle_float_of_fp8((unsigned char)__x, kind), heddle_float_of_fp8((unsigned char)(__x >> 8), kind),     \
              heddle_float_of_fp8((unsigned char)(__x >> 16), kind),                                                   \
              heddle_float_of_fp8((unsigned char)(__x >> 24), kind)};                                                  \
    }                                                                                                                  \
  };
HEDDLE_FP8(e4m3, __NV_E4M3)
HEDDLE_FP8(e5m2, __NV_E5M2)
#undef HEDDLE_FP8
