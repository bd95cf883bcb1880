// Half precision. The values are `_Float16`, which the architecture computes with.
#pragma once
#include "heddle/device.h"

#define HEDDLE_INLINE __attribute__((host, device, always_inline, nodebug))

struct __half_raw {
  unsigned short x;
};

struct __half {
  _Float16 v;
  __half() = default;
  HEDDLE_INLINE __half(_Float16 v) : v(v) {}
  HEDDLE_INLINE __half(float v) : v((_Float16)v) {}
  HEDDLE_INLINE __half(double v) : v((_Float16)v) {}
  HEDDLE_INLINE __half(int v) : v((_Float16)v) {}
  HEDDLE_INLINE __half(unsigned int v) : v((_Float16)v) {}
  HEDDLE_INLINE __half(__half_raw r) : v(__builtin_bit_cast(_Float16, r.x)) {}
  HEDDLE_INLINE operator float() const { return (float)v; }
  HEDDLE_INLINE __half &operator+=(__half o) { return v += o.v, *this; }
  HEDDLE_INLINE __half &operator-=(__half o) { return v -= o.v, *this; }
  HEDDLE_INLINE __half &operator*=(__half o) { return v *= o.v, *this; }
  HEDDLE_INLINE __half &operator/=(__half o) { return v /= o.v, *this; }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  HEDDLE_INLINE __half2(__half x, __half y) : x(x), y(y) {}
};
typedef __half2 half2;

#define HEDDLE_HALF(op, name)                                                                                          \
  HEDDLE_BOTH __half operator op(__half a, __half b) { return a.v op b.v; }                                            \
  HEDDLE_BOTH __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }                           \
  HEDDLE_BOTH __half __h##name(__half a, __half b) { return a.v op b.v; }                                              \
  HEDDLE_BOTH __half2 __h##name##2(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }
HEDDLE_HALF(+, add)
HEDDLE_HALF(-, sub)
HEDDLE_HALF(*, mul)
HEDDLE_HALF(/, div)
#define HEDDLE_HALF_COMPARE(op, name)                                                                                  \
  HEDDLE_BOTH bool operator op(__half a, __half b) { return a.v op b.v; }                                              \
  HEDDLE_BOTH bool __h##name(__half a, __half b) { return a.v op b.v; }
HEDDLE_HALF_COMPARE(==, eq)
HEDDLE_HALF_COMPARE(!=, ne)
HEDDLE_HALF_COMPARE(<, lt)
HEDDLE_HALF_COMPARE(<=, le)
HEDDLE_HALF_COMPARE(>, gt)
HEDDLE_HALF_COMPARE(>=, ge)
HEDDLE_BOTH __half operator-(__half a) { return -a.v; }
HEDDLE_BOTH __half __hneg(__half a) { return -a.v; }
HEDDLE_BOTH __half __hfma(__half a, __half b, __half c) { return a.v * b.v + c.v; }
HEDDLE_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return a * b + c; }
HEDDLE_BOTH __half __hmax(__half a, __half b) { return a.v > b.v ? a : b; }
HEDDLE_BOTH __half __hmin(__half a, __half b) { return a.v < b.v ? a : b; }
HEDDLE_BOTH __half __habs(__half a) { return a.v < 0 ? -a.v : a.v; }

HEDDLE_BOTH __half __float2half(float x) { return x; }
HEDDLE_BOTH __half __float2half_rn(float x) { return x; }
HEDDLE_BOTH __half __double2half(double x) { return x; }
HEDDLE_BOTH float __half2float(__half x) { return (float)x.v; }
HEDDLE_BOTH __half __int2half_rn(int x) { return x; }
HEDDLE_BOTH int __half2int_rn(__half x) { return (int)x.v; }
HEDDLE_BOTH int __half2int_rz(__half x) { return (int)x.v; }
HEDDLE_BOTH unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x.v); }
HEDDLE_BOTH short __half_as_short(__half x) { return __builtin_bit_cast(short, x.v); }
HEDDLE_BOTH __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }
HEDDLE_BOTH __half2 __float2half2_rn(float x) { return {x, x}; }
HEDDLE_BOTH __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
HEDDLE_BOTH __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
HEDDLE_BOTH float2 __half22float2(__half2 v) { return {(float)v.x.v, (float)v.y.v}; }
HEDDLE_BOTH __half2 __half2half2(__half x) { return {x, x}; }
HEDDLE_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
HEDDLE_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
HEDDLE_BOTH float __low2float(__half2 v) { return (float)v.x.v; }
HEDDLE_BOTH float __high2float(__half2 v) { return (float)v.y.v; }
HEDDLE_BOTH __half __low2half(__half2 v) { return v.x; }
HEDDLE_BOTH __half __high2half(__half2 v) { return v.y; }

#define HEDDLE_HALF_MATH(name)                                                                                         \
  HEDDLE_DEVICE __half h##name(__half x) { return name##f((float)x.v); }                                               \
  HEDDLE_DEVICE __half2 h2##name(__half2 v) { return {h##name(v.x), h##name(v.y)}; }
HEDDLE_HALF_MATH(sqrt)
HEDDLE_HALF_MATH(rsqrt)
HEDDLE_HALF_MATH(exp)
HEDDLE_HALF_MATH(log)
HEDDLE_HALF_MATH(sin)
HEDDLE_HALF_MATH(cos)
HEDDLE_HALF_MATH(floor)
HEDDLE_HALF_MATH(ceil)

// Atomics and shuffles go by their bits.
HEDDLE_DEVICE __half atomicAdd(__half *p, __half x) {
  return __atomic_fetch_add(&p->v, x.v, __ATOMIC_RELAXED);
}
#define HEDDLE_HALF_SHUFFLE(name, Lane)                                                                                \
  HEDDLE_DEVICE __half name(unsigned int mask, __half x, Lane lane, int width = 32) {                                  \
    return __ushort_as_half((unsigned short)name(mask, (unsigned int)__half_as_ushort(x), lane, width));               \
  }                                                                                                                    \
  HEDDLE_DEVICE __half2 name(unsigned int mask, __half2 x, Lane lane, int width = 32) {                                \
    return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned int, x), lane, width));                  \
  }
HEDDLE_HALF_SHUFFLE(__shfl_sync, int)
HEDDLE_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
HEDDLE_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
HEDDLE_HALF_SHUFFLE(__shfl_xor_sync, int)
