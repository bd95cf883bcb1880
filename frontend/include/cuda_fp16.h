// Half precision. The values are `_Float16`, which the architecture computes with.
//
// Conversions round as their names say; `_sat` forms clamp to [0, 1].
#pragma once
#include "heddle/device.h"

#define HEDDLE_INLINE __attribute__((host, device, always_inline, nodebug))
#define __CUDA_FP16_TYPES_EXIST__

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
struct __half {
  _Float16 v;
  __half() = default;
  HEDDLE_INLINE constexpr __half(_Float16 v) : v(v) {}
  HEDDLE_INLINE constexpr __half(float v) : v((_Float16)v) {}
  HEDDLE_INLINE constexpr __half(double v) : v((_Float16)v) {}
#define HEDDLE_HALF_INTEGER(_T)                                                                                        \
  HEDDLE_INLINE constexpr __half(_T v) : v((_Float16)v) {}                                                             \
  HEDDLE_INLINE operator _T() const { return (_T)v; }                                                                  \
  HEDDLE_INLINE __half &operator=(_T o) { return v = (_Float16)o, *this; }
  HEDDLE_HALF_INTEGER(short)
  HEDDLE_HALF_INTEGER(unsigned short)
  HEDDLE_HALF_INTEGER(int)
  HEDDLE_HALF_INTEGER(unsigned int)
  HEDDLE_HALF_INTEGER(long)
  HEDDLE_HALF_INTEGER(unsigned long)
  HEDDLE_HALF_INTEGER(long long)
  HEDDLE_HALF_INTEGER(unsigned long long)
#undef HEDDLE_HALF_INTEGER
  HEDDLE_INLINE explicit __half(__nv_bfloat16); // in cuda_bf16.h
  HEDDLE_INLINE __half(__half_raw r) : v(__builtin_bit_cast(_Float16, r.x)) {}
  HEDDLE_INLINE operator float() const { return (float)v; }
  HEDDLE_INLINE operator bool() const { return v != 0; }
  HEDDLE_INLINE operator __half_raw() const { return {__builtin_bit_cast(unsigned short, v)}; }
  HEDDLE_INLINE __half &operator=(float o) { return v = (_Float16)o, *this; }
  // A class that is one of these and a `float`, as PyTorch's numbers are, is one of these first: extensions are built
  // without the conversions above.
  template <class _C, class = decltype(((const _C *)nullptr)->operator __half())>
  HEDDLE_INLINE __half &operator=(const _C &o) {
    return v = o.operator __half().v, *this;
  }
  template <class _C, class = decltype(((const _C *)nullptr)->operator __half())>
  HEDDLE_INLINE explicit __half(const _C &o) : v(o.operator __half().v) {}
  HEDDLE_INLINE __half &operator=(double o) { return v = (_Float16)o, *this; }
  HEDDLE_INLINE __half &operator+=(__half o) { return v += o.v, *this; }
  HEDDLE_INLINE __half &operator-=(__half o) { return v -= o.v, *this; }
  HEDDLE_INLINE __half &operator*=(__half o) { return v *= o.v, *this; }
  HEDDLE_INLINE __half &operator/=(__half o) { return v /= o.v, *this; }
  HEDDLE_INLINE __half &operator++() { return v += 1, *this; }
  HEDDLE_INLINE __half &operator--() { return v -= 1, *this; }
};
typedef __half half;
typedef __half __nv_half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  HEDDLE_INLINE constexpr __half2(__half x, __half y) : x(x), y(y) {}
  HEDDLE_INLINE __half2(__half2_raw r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
  HEDDLE_INLINE __half2 &operator+=(__half2 o) { return x += o.x, y += o.y, *this; }
  HEDDLE_INLINE __half2 &operator-=(__half2 o) { return x -= o.x, y -= o.y, *this; }
  HEDDLE_INLINE __half2 &operator*=(__half2 o) { return x *= o.x, y *= o.y, *this; }
  HEDDLE_INLINE __half2 &operator/=(__half2 o) { return x /= o.x, y /= o.y, *this; }
};
typedef __half2 half2;
typedef __half2 __nv_half2;

#include "heddle/short_floats.h"

#define HEDDLE_HALF_OPERATOR(op)                                                                                       \
  HEDDLE_BOTH __half operator op(__half a, __half b) { return a.v op b.v; }                                            \
  HEDDLE_BOTH __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }
HEDDLE_HALF_OPERATOR(+)
HEDDLE_HALF_OPERATOR(-)
HEDDLE_HALF_OPERATOR(*)
HEDDLE_HALF_OPERATOR(/)
#define HEDDLE_HALF_COMPARE(op)                                                                                        \
  HEDDLE_BOTH bool operator op(__half a, __half b) { return a.v op b.v; }                                              \
  HEDDLE_BOTH bool operator op(__half2 a, __half2 b) { return a.x op b.x && a.y op b.y; }
HEDDLE_HALF_COMPARE(==)
HEDDLE_HALF_COMPARE(!=)
HEDDLE_HALF_COMPARE(<)
HEDDLE_HALF_COMPARE(<=)
HEDDLE_HALF_COMPARE(>)
HEDDLE_HALF_COMPARE(>=)
HEDDLE_BOTH __half operator+(__half a) { return a; }
HEDDLE_BOTH __half operator-(__half a) { return -a.v; }
HEDDLE_BOTH __half2 operator-(__half2 a) { return {-a.x, -a.y}; }

HEDDLE_SHORT_FLOAT(__half, __half2, _Float16)
HEDDLE_SHORT_FLOAT_MOVES(__half, __half2)

HEDDLE_SHORT_FLOAT_CONVERSIONS(half, __half, __half2)
HEDDLE_BOTH unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x.v); }
HEDDLE_BOTH short __half_as_short(__half x) { return __builtin_bit_cast(short, x.v); }
HEDDLE_BOTH __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }
HEDDLE_BOTH __half __short_as_half(short x) { return __builtin_bit_cast(_Float16, x); }
HEDDLE_BOTH float __half2float(__half x) { return (float)x.v; }
HEDDLE_BOTH double __half2double(__half x) { return (double)x.v; }
HEDDLE_BOTH __half2 __float2half2_rn(float x) { return {x, x}; }
HEDDLE_BOTH __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
HEDDLE_BOTH __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
HEDDLE_BOTH float2 __half22float2(__half2 v) { return {(float)v.x.v, (float)v.y.v}; }
HEDDLE_BOTH __half2 __half2half2(__half x) { return {x, x}; }
HEDDLE_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
HEDDLE_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
HEDDLE_BOTH __half __low2half(__half2 v) { return v.x; }
HEDDLE_BOTH __half __high2half(__half2 v) { return v.y; }
HEDDLE_BOTH __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
HEDDLE_BOTH __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
HEDDLE_BOTH __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
HEDDLE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
HEDDLE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

HEDDLE_SHORT_FLOAT_FUNCTIONS(__half, __half2)
HEDDLE_DEVICE __half htanh(__half x) { return tanhf((float)x.v); }
HEDDLE_DEVICE __half2 h2tanh(__half2 v) { return {htanh(v.x), htanh(v.y)}; }

// Atomics. Of two halves each is one: not the pair.
HEDDLE_DEVICE __half atomicAdd(__half *p, __half x) { return __atomic_fetch_add(&p->v, x.v, __ATOMIC_RELAXED); }
HEDDLE_DEVICE __half2 atomicAdd(__half2 *p, __half2 x) { return {atomicAdd(&p->x, x.x), atomicAdd(&p->y, x.y)}; }

#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
