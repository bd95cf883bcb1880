// The upper half of a float: stored as 16 bits, computed with as float.
#pragma once
#include "cuda_fp16.h"

#define __CUDA_BF16_TYPES_EXIST__

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16 {
  __bf16 v;
  __nv_bfloat16() = default;
  HEDDLE_INLINE constexpr __nv_bfloat16(__bf16 v) : v(v) {}
  HEDDLE_INLINE constexpr __nv_bfloat16(float v) : v((__bf16)v) {}
  HEDDLE_INLINE constexpr __nv_bfloat16(double v) : v((__bf16)(float)v) {}
#define HEDDLE_BFLOAT_INTEGER(_T)                                                                                      \
  HEDDLE_INLINE constexpr __nv_bfloat16(_T v) : v((__bf16)(float)v) {}                                                 \
  HEDDLE_INLINE operator _T() const { return (_T)(float)v; }                                                           \
  HEDDLE_INLINE __nv_bfloat16 &operator=(_T o) { return v = (__bf16)(float)o, *this; }
  HEDDLE_BFLOAT_INTEGER(short)
  HEDDLE_BFLOAT_INTEGER(unsigned short)
  HEDDLE_BFLOAT_INTEGER(int)
  HEDDLE_BFLOAT_INTEGER(unsigned int)
  HEDDLE_BFLOAT_INTEGER(long)
  HEDDLE_BFLOAT_INTEGER(unsigned long)
  HEDDLE_BFLOAT_INTEGER(long long)
  HEDDLE_BFLOAT_INTEGER(unsigned long long)
#undef HEDDLE_BFLOAT_INTEGER
  HEDDLE_INLINE __nv_bfloat16(__nv_bfloat16_raw r) : v(__builtin_bit_cast(__bf16, r.x)) {}
  HEDDLE_INLINE explicit __nv_bfloat16(__half h) : v((__bf16)(float)h.v) {}
  HEDDLE_INLINE operator float() const { return (float)v; }
  HEDDLE_INLINE operator bool() const { return (float)v != 0; }
  HEDDLE_INLINE operator __nv_bfloat16_raw() const { return {__builtin_bit_cast(unsigned short, v)}; }
  HEDDLE_INLINE __nv_bfloat16 &operator=(float o) { return v = (__bf16)o, *this; }
  HEDDLE_INLINE __nv_bfloat16 &operator=(double o) { return v = (__bf16)(float)o, *this; }
  HEDDLE_INLINE __nv_bfloat16 &operator+=(__nv_bfloat16 o) { return v = (__bf16)((float)v + (float)o.v), *this; }
  HEDDLE_INLINE __nv_bfloat16 &operator-=(__nv_bfloat16 o) { return v = (__bf16)((float)v - (float)o.v), *this; }
  HEDDLE_INLINE __nv_bfloat16 &operator*=(__nv_bfloat16 o) { return v = (__bf16)((float)v * (float)o.v), *this; }
  HEDDLE_INLINE __nv_bfloat16 &operator/=(__nv_bfloat16 o) { return v = (__bf16)((float)v / (float)o.v), *this; }
};
typedef __nv_bfloat16 nv_bfloat16;
HEDDLE_INLINE __half::__half(__nv_bfloat16 b) : v((_Float16)(float)b.v) {}
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  HEDDLE_INLINE constexpr __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
  HEDDLE_INLINE __nv_bfloat162(__nv_bfloat162_raw r) : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y}) {}
  HEDDLE_INLINE __nv_bfloat162 &operator+=(__nv_bfloat162 o) { return x += o.x, y += o.y, *this; }
  HEDDLE_INLINE __nv_bfloat162 &operator-=(__nv_bfloat162 o) { return x -= o.x, y -= o.y, *this; }
  HEDDLE_INLINE __nv_bfloat162 &operator*=(__nv_bfloat162 o) { return x *= o.x, y *= o.y, *this; }
};
typedef __nv_bfloat162 nv_bfloat162;

#define HEDDLE_BFLOAT_OPERATOR(op)                                                                                     \
  HEDDLE_BOTH __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a.v op(float) b.v; }         \
  HEDDLE_BOTH __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x op b.x, a.y op b.y}; }
HEDDLE_BFLOAT_OPERATOR(+)
HEDDLE_BFLOAT_OPERATOR(-)
HEDDLE_BFLOAT_OPERATOR(*)
HEDDLE_BFLOAT_OPERATOR(/)
#define HEDDLE_BFLOAT_COMPARE(op)                                                                                      \
  HEDDLE_BOTH bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a.v op(float) b.v; }                  \
  HEDDLE_BOTH bool operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x op b.x && a.y op b.y; }
HEDDLE_BFLOAT_COMPARE(==)
HEDDLE_BFLOAT_COMPARE(!=)
HEDDLE_BFLOAT_COMPARE(<)
HEDDLE_BFLOAT_COMPARE(<=)
HEDDLE_BFLOAT_COMPARE(>)
HEDDLE_BFLOAT_COMPARE(>=)
HEDDLE_BOTH __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
HEDDLE_BOTH __nv_bfloat16 operator-(__nv_bfloat16 a) { return -(float)a.v; }
HEDDLE_BOTH __nv_bfloat162 operator-(__nv_bfloat162 a) { return {-a.x, -a.y}; }
HEDDLE_BOTH __nv_bfloat16 &operator++(__nv_bfloat16 &a) { return a += __nv_bfloat16(1.0f); }
HEDDLE_BOTH __nv_bfloat16 &operator--(__nv_bfloat16 &a) { return a -= __nv_bfloat16(1.0f); }
HEDDLE_BOTH __nv_bfloat16 operator++(__nv_bfloat16 &a, int) {
  __nv_bfloat16 old = a;
  ++a;
  return old;
}
HEDDLE_BOTH __nv_bfloat16 operator--(__nv_bfloat16 &a, int) {
  __nv_bfloat16 old = a;
  --a;
  return old;
}

HEDDLE_SHORT_FLOAT(__nv_bfloat16, __nv_bfloat162, __bf16)
HEDDLE_SHORT_FLOAT_MOVES(__nv_bfloat16, __nv_bfloat162)
HEDDLE_SHORT_FLOAT_CONVERSIONS(bfloat16, __nv_bfloat16, __nv_bfloat162)
HEDDLE_SHORT_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)

HEDDLE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return __builtin_bit_cast(unsigned short, x.v); }
HEDDLE_BOTH short __bfloat16_as_short(__nv_bfloat16 x) { return __builtin_bit_cast(short, x.v); }
HEDDLE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __builtin_bit_cast(__bf16, x); }
HEDDLE_BOTH __nv_bfloat16 __short_as_bfloat16(short x) { return __builtin_bit_cast(__bf16, x); }
HEDDLE_BOTH float __bfloat162float(__nv_bfloat16 x) { return (float)x.v; }
HEDDLE_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
HEDDLE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
HEDDLE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
HEDDLE_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
HEDDLE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
HEDDLE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
HEDDLE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
HEDDLE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
HEDDLE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
HEDDLE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
HEDDLE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
HEDDLE_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }

// By the bits: no instruction adds to one number of this format alone. Of a pair each is one.
HEDDLE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 x) {
  return __atomic_fetch_add(&p->v, x.v, __ATOMIC_RELAXED);
}
HEDDLE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 x) {
  return {atomicAdd(&p->x, x.x), atomicAdd(&p->y, x.y)};
}

#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
