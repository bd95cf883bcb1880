// What the two float formats of 16 bits have in common, as macros over the type of one value, `H`, of a pair, `H2`, and of
// the number inside, `V`.
#pragma once
#include "sync.h"

// A float near a number, whose lowest bit says that it is not the number: what is rounded from it to fewer bits, two
// less at least, is what would be rounded from the number.
HEDDLE_BOTH float heddle_odd(float x) { return x; }
HEDDLE_BOTH float heddle_odd(double x) {
  float f = (float)x;
  unsigned int bits = __builtin_bit_cast(unsigned int, f);
  if ((double)f == x || x != x) return f;
  if (__builtin_fabs((double)f) > __builtin_fabs(x)) --bits;
  return __builtin_bit_cast(float, bits | 1);
}
HEDDLE_BOTH float heddle_odd(unsigned long long x) {
  if (x < 0x1000000) return (float)x;
  int by = 40 - __builtin_clzll(x);
  unsigned long long kept = x >> by | (x << (64 - by) != 0);
  return (float)kept * __builtin_bit_cast(float, (unsigned int)(by + 127) << 23);
}
HEDDLE_BOTH float heddle_odd(long long x) {
  return x < 0 ? -heddle_odd(0ull - (unsigned long long)x) : heddle_odd((unsigned long long)x);
}
HEDDLE_BOTH float heddle_odd(int x) { return heddle_odd((long long)x); }
HEDDLE_BOTH float heddle_odd(unsigned int x) { return heddle_odd((unsigned long long)x); }
HEDDLE_BOTH float heddle_odd(short x) { return (float)x; }
HEDDLE_BOTH float heddle_odd(unsigned short x) { return (float)x; }
// A sum of doubles, rounded the same way.
HEDDLE_BOTH float heddle_odd_sum(double a, double b) {
  double sum = a + b, from = sum - a, rest = (a - (sum - from)) + (b - from);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (rest != 0.0 && rest == rest && !(bits & 1)) bits += (rest > 0.0) == (sum > 0.0) ? 1 : -1;
  return heddle_odd(__builtin_bit_cast(double, bits));
}
// The neighbour of a number that was rounded to nearest, where it lies on the wrong side.
#define HEDDLE_SHORT_FLOAT_TOWARD(_V)                                                                                  \
  HEDDLE_BOTH _V heddle_by(_V near, int up) {                                                                          \
    unsigned short bits = __builtin_bit_cast(unsigned short, near);                                                    \
    return __builtin_bit_cast(_V, (unsigned short)((bits & 0x8000) == 0 ? bits + up : bits - up));                     \
  }                                                                                                                    \
  HEDDLE_BOTH _V heddle_to_rn(float x, _V near) { return near; }                                                       \
  HEDDLE_BOTH _V heddle_to_ru(float x, _V near) { return (float)near < x ? heddle_by(near, 1) : near; }                \
  HEDDLE_BOTH _V heddle_to_rd(float x, _V near) { return (float)near > x ? heddle_by(near, -1) : near; }               \
  HEDDLE_BOTH _V heddle_to_rz(float x, _V near) { return x < 0 ? heddle_to_ru(x, near) : heddle_to_rd(x, near); }

#define HEDDLE_SHORT_FLOAT_OP(_H, H2, _V, name, op)                                                                    \
  HEDDLE_BOTH _H __h##name(_H a, _H b) { return (_V)(a.v op b.v); }                                                    \
  HEDDLE_BOTH _H __h##name##_rn(_H a, _H b) { return (_V)(a.v op b.v); }                                               \
  HEDDLE_BOTH H2 __h##name##2(H2 a, H2 b) { return {(_V)(a.x.v op b.x.v), (_V)(a.y.v op b.y.v)}; }                     \
  HEDDLE_BOTH H2 __h##name##2_rn(H2 a, H2 b) { return __h##name##2(a, b); }                                            \
  HEDDLE_BOTH _H __h##name##_sat(_H a, _H b) { return heddle_saturate((_V)(a.v op b.v)); }                             \
  HEDDLE_BOTH H2 __h##name##2_sat(H2 a, H2 b) { return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)}; }
// Ordered comparisons are those of C; of unordered ones (`u`) NaN makes each true.
#define HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, name, op)                                                                 \
  HEDDLE_BOTH bool __h##name(_H a, _H b) { return !__builtin_isunordered((float)a.v, (float)b.v) && a.v op b.v; }      \
  HEDDLE_BOTH bool __h##name##u(_H a, _H b) { return __builtin_isunordered((float)a.v, (float)b.v) || a.v op b.v; }    \
  HEDDLE_BOTH bool __hb##name##2(H2 a, H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }                    \
  HEDDLE_BOTH bool __hb##name##u2(H2 a, H2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); }             \
  HEDDLE_BOTH H2 __h##name##2(H2 a, H2 b) { return {(_V)__h##name(a.x, b.x), (_V)__h##name(a.y, b.y)}; }               \
  HEDDLE_BOTH H2 __h##name##u2(H2 a, H2 b) { return {(_V)__h##name##u(a.x, b.x), (_V)__h##name##u(a.y, b.y)}; }        \
  HEDDLE_BOTH unsigned int __h##name##2_mask(H2 a, H2 b) {                                                             \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                            \
  }
#define HEDDLE_SHORT_FLOAT(_H, H2, _V)                                                                                 \
  HEDDLE_SHORT_FLOAT_TOWARD(_V)                                                                                        \
  HEDDLE_SHORT_FLOAT_EXTREMES(_H, H2)                                                                                  \
  HEDDLE_BOTH _V heddle_saturate(_V v) { return v > (_V)0 ? v < (_V)1 ? v : (_V)1 : (_V)0; }                           \
  HEDDLE_SHORT_FLOAT_OP(_H, H2, _V, add, +)                                                                            \
  HEDDLE_SHORT_FLOAT_OP(_H, H2, _V, sub, -)                                                                            \
  HEDDLE_SHORT_FLOAT_OP(_H, H2, _V, mul, *)                                                                            \
  HEDDLE_BOTH _H __hdiv(_H a, _H b) { return (_V)(a.v / b.v); }                                                        \
  HEDDLE_BOTH H2 __h2div(H2 a, H2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }                                  \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, eq, ==)                                                                         \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, ne, !=)                                                                         \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, lt, <)                                                                          \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, le, <=)                                                                         \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, gt, >)                                                                          \
  HEDDLE_SHORT_FLOAT_ORDER(_H, H2, _V, ge, >=)                                                                         \
  HEDDLE_BOTH bool __hisnan(_H a) { return a.v != a.v; }                                                               \
  HEDDLE_BOTH H2 __hisnan2(H2 a) { return {(_V)__hisnan(a.x), (_V)__hisnan(a.y)}; }                                    \
  HEDDLE_BOTH int __hisinf(_H a) { return __builtin_isinf((float)a.v) ? a.v > (_V)0 ? 1 : -1 : 0; }                    \
  HEDDLE_BOTH _H __hneg(_H a) { return (_V)-a.v; }                                                                     \
  HEDDLE_BOTH H2 __hneg2(H2 a) { return {(_V)-a.x.v, (_V)-a.y.v}; }                                                    \
  HEDDLE_BOTH _H __habs(_H a) { return (_V)__builtin_fabsf((float)a.v); }                                              \
  HEDDLE_BOTH H2 __habs2(H2 a) { return {__habs(a.x), __habs(a.y)}; }                                                  \
  HEDDLE_BOTH _H __hfma(_H a, _H b, _H c) {                                                                            \
    return (_V)heddle_odd_sum((double)(float)a.v * (double)(float)b.v, (double)(float)c.v);                            \
  }                                                                                                                    \
  HEDDLE_BOTH _H __hfma_sat(_H a, _H b, _H c) { return heddle_saturate(__hfma(a, b, c).v); }                           \
  HEDDLE_BOTH _H __hfma_relu(_H a, _H b, _H c) { return __hmax_nan(__hfma(a, b, c), _H((_V)0)); }                      \
  HEDDLE_BOTH H2 __hfma2(H2 a, H2 b, H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                  \
  HEDDLE_BOTH H2 __hfma2_sat(H2 a, H2 b, H2 c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }      \
  HEDDLE_BOTH H2 __hfma2_relu(H2 a, H2 b, H2 c) { return __hmax2_nan(__hfma2(a, b, c), H2((_V)0, (_V)0)); }            \
  HEDDLE_BOTH H2 __hcmadd(H2 a, H2 b, H2 c) {                                                                          \
    return {(_V)(a.x.v * b.x.v - a.y.v * b.y.v + c.x.v), (_V)(a.x.v * b.y.v + a.y.v * b.x.v + c.y.v)};                 \
  }
#define HEDDLE_SHORT_FLOAT_EXTREMES(_H, H2)                                                                            \
  HEDDLE_BOTH bool heddle_minus(_H a) { return __builtin_bit_cast(short, a) < 0; }                                     \
  /* +0 is above -0. */                                                                                                \
  HEDDLE_BOTH bool heddle_above(_H a, _H b) { return a.v > b.v || (a.v == b.v && heddle_minus(b)); }                   \
  HEDDLE_BOTH _H __hmax(_H a, _H b) { return heddle_above(a, b) || b.v != b.v ? a : b; }                               \
  HEDDLE_BOTH _H __hmin(_H a, _H b) { return heddle_above(b, a) || b.v != b.v ? a : b; }                               \
  HEDDLE_BOTH _H __hmax_nan(_H a, _H b) { return heddle_above(a, b) || a.v != a.v ? a : b; }                           \
  HEDDLE_BOTH _H __hmin_nan(_H a, _H b) { return heddle_above(b, a) || a.v != a.v ? a : b; }                           \
  HEDDLE_BOTH H2 __hmax2(H2 a, H2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                                  \
  HEDDLE_BOTH H2 __hmin2(H2 a, H2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                                  \
  HEDDLE_BOTH H2 __hmax2_nan(H2 a, H2 b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }                      \
  HEDDLE_BOTH H2 __hmin2_nan(H2 a, H2 b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }

// Shuffles and loads go by their bits.
#define HEDDLE_SHORT_FLOAT_SHUFFLE(_H, H2, name, Lane)                                                                 \
  HEDDLE_DEVICE _H name(unsigned int mask, _H x, Lane lane, int width = 32) {                                          \
    unsigned int bits = __builtin_bit_cast(unsigned short, x);                                                         \
    return __builtin_bit_cast(_H, (unsigned short)name(mask, bits, lane, width));                                      \
  }                                                                                                                    \
  HEDDLE_DEVICE H2 name(unsigned int mask, H2 x, Lane lane, int width = 32) {                                          \
    return __builtin_bit_cast(H2, name(mask, __builtin_bit_cast(unsigned int, x), lane, width));                       \
  }
#define HEDDLE_SHORT_FLOAT_MOVES(_H, H2)                                                                               \
  HEDDLE_SHORT_FLOAT_SHUFFLE(_H, H2, __shfl_sync, int)                                                                 \
  HEDDLE_SHORT_FLOAT_SHUFFLE(_H, H2, __shfl_up_sync, unsigned int)                                                     \
  HEDDLE_SHORT_FLOAT_SHUFFLE(_H, H2, __shfl_down_sync, unsigned int)                                                   \
  HEDDLE_SHORT_FLOAT_SHUFFLE(_H, H2, __shfl_xor_sync, int)

// From and to other numbers, by the name of the format.
#define HEDDLE_SHORT_FLOAT_ROUND(name, _H, suffix, toward)                                                             \
  HEDDLE_BOTH _H __float2##name##_##suffix(float x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH _H __int2##name##_##suffix(int x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); }     \
  HEDDLE_BOTH _H __uint2##name##_##suffix(unsigned int x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH _H __short2##name##_##suffix(short x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH _H __ushort2##name##_##suffix(unsigned short x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH _H __ll2##name##_##suffix(long long x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH _H __ull2##name##_##suffix(unsigned long long x) { return heddle_to_##suffix(heddle_odd(x), _H(heddle_odd(x)).v); } \
  HEDDLE_BOTH int __##name##2int_##suffix(_H x) { return (int)toward((float)x); }                                      \
  HEDDLE_BOTH unsigned int __##name##2uint_##suffix(_H x) { return (unsigned int)toward((float)x); }                   \
  HEDDLE_BOTH short __##name##2short_##suffix(_H x) { return (short)toward((float)x); }                                \
  HEDDLE_BOTH unsigned short __##name##2ushort_##suffix(_H x) { return (unsigned short)toward((float)x); }             \
  HEDDLE_BOTH long long __##name##2ll_##suffix(_H x) { return (long long)toward((float)x); }                           \
  HEDDLE_BOTH unsigned long long __##name##2ull_##suffix(_H x) { return (unsigned long long)toward((float)x); }
#define HEDDLE_SHORT_FLOAT_CONVERSIONS(name, _H, H2)                                                                   \
  HEDDLE_BOTH _H __float2##name(float x) { return _H(x); }                                                             \
  HEDDLE_BOTH _H __double2##name(double x) { return _H(heddle_odd(x)); }                                               \
  HEDDLE_SHORT_FLOAT_ROUND(name, _H, rn, __builtin_rintf)                                                              \
  HEDDLE_SHORT_FLOAT_ROUND(name, _H, rz, __builtin_truncf)                                                             \
  HEDDLE_SHORT_FLOAT_ROUND(name, _H, ru, __builtin_ceilf)                                                              \
  HEDDLE_SHORT_FLOAT_ROUND(name, _H, rd, __builtin_floorf)                                                             \
  HEDDLE_BOTH float __low2float(H2 v) { return (float)v.x; }                                                           \
  HEDDLE_BOTH float __high2float(H2 v) { return (float)v.y; }

#define HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, name)                                                                      \
  HEDDLE_DEVICE _H h##name(_H x) { return _H(name##f((float)x)); }                                                     \
  HEDDLE_DEVICE H2 h2##name(H2 v) { return {h##name(v.x), h##name(v.y)}; }
#define HEDDLE_SHORT_FLOAT_FUNCTIONS(_H, H2)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, sqrt)                                                                            \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, rsqrt)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, exp)                                                                             \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, exp2)                                                                            \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, exp10)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, log)                                                                             \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, log2)                                                                            \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, log10)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, sin)                                                                             \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, cos)                                                                             \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, floor)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, ceil)                                                                            \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, trunc)                                                                           \
  HEDDLE_SHORT_FLOAT_FUNCTION(_H, H2, rint)                                                                            \
  HEDDLE_DEVICE _H hrcp(_H x) { return _H(1.0f / (float)x); }                                                          \
  HEDDLE_DEVICE H2 h2rcp(H2 v) { return {hrcp(v.x), hrcp(v.y)}; }
