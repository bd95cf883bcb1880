// The upper half of a float: stored as 16 bits, computed with as float.
#pragma once
#include "cuda_fp16.h"

struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  HEDDLE_INLINE __nv_bfloat16(float v) : bits((unsigned short)(__builtin_bit_cast(unsigned int, v) >> 16)) {}
  HEDDLE_INLINE __nv_bfloat16(double v) : __nv_bfloat16((float)v) {}
  HEDDLE_INLINE __nv_bfloat16(int v) : __nv_bfloat16((float)v) {}
  HEDDLE_INLINE operator float() const { return __builtin_bit_cast(float, (unsigned int)bits << 16); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_BOTH __nv_bfloat16 __float2bfloat16(float x) { return x; }
HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
HEDDLE_BOTH float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
HEDDLE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
HEDDLE_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
HEDDLE_BOTH __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a + (float)b; }
HEDDLE_BOTH __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a - (float)b; }
HEDDLE_BOTH __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a * (float)b; }
