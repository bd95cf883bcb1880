// Sums and choices of two or three integers at once (CUDA's DPX functions), of words and of the two halves of a word.
//
// In a name, `s` and `u` say signed and unsigned, `relu` that a negative result is 0. Sums wrap.
#pragma once
#include "simd.h"

// `_T` is what is computed with, and `_W` the word that it is given in.
#define HEDDLE_DPX_3(name, _W, _T, _N, expression)                                                                     \
  HEDDLE_BOTH _W name(_W a_, _W b_, _W c_) {                                                                           \
    _T a = __builtin_bit_cast(_T, a_), b = __builtin_bit_cast(_T, b_), c = __builtin_bit_cast(_T, c_), zero = {};      \
    (void)zero;                                                                                                        \
    _T sum = __builtin_bit_cast(_T, (_N)(__builtin_bit_cast(_N, a_) + __builtin_bit_cast(_N, b_)));                    \
    (void)sum;                                                                                                         \
    return __builtin_bit_cast(_W, (_T)(expression));                                                                   \
  }
#define HEDDLE_DPX_2(name, _W, _T, expression)                                                                         \
  HEDDLE_BOTH _W name(_W a_, _W b_) {                                                                                  \
    _T a = __builtin_bit_cast(_T, a_), b = __builtin_bit_cast(_T, b_), zero = {};                                      \
    return __builtin_bit_cast(_W, (_T)(expression));                                                                   \
  }
#define HEDDLE_LARGER(a, b) __builtin_elementwise_max(a, b)
#define HEDDLE_SMALLER(a, b) __builtin_elementwise_min(a, b)
#define HEDDLE_DPX(kind, _W, _T, _N)                                                                                   \
  HEDDLE_DPX_3(__viaddmax_##kind, _W, _T, _N, HEDDLE_LARGER(sum, c))                                                   \
  HEDDLE_DPX_3(__viaddmin_##kind, _W, _T, _N, HEDDLE_SMALLER(sum, c))                                                  \
  HEDDLE_DPX_3(__vimax3_##kind, _W, _T, _N, HEDDLE_LARGER(HEDDLE_LARGER(a, b), c))                                     \
  HEDDLE_DPX_3(__vimin3_##kind, _W, _T, _N, HEDDLE_SMALLER(HEDDLE_SMALLER(a, b), c))
#define HEDDLE_DPX_RELU(kind, _W, _T, _N)                                                                              \
  HEDDLE_DPX_3(__viaddmax_##kind##_relu, _W, _T, _N, HEDDLE_LARGER(HEDDLE_LARGER(sum, c), zero))                       \
  HEDDLE_DPX_3(__viaddmin_##kind##_relu, _W, _T, _N, HEDDLE_LARGER(HEDDLE_SMALLER(sum, c), zero))                      \
  HEDDLE_DPX_3(__vimax3_##kind##_relu, _W, _T, _N, HEDDLE_LARGER(HEDDLE_LARGER(HEDDLE_LARGER(a, b), c), zero))         \
  HEDDLE_DPX_3(__vimin3_##kind##_relu, _W, _T, _N, HEDDLE_LARGER(HEDDLE_SMALLER(HEDDLE_SMALLER(a, b), c), zero))       \
  HEDDLE_DPX_2(__vimax_##kind##_relu, _W, _T, HEDDLE_LARGER(HEDDLE_LARGER(a, b), zero))                                \
  HEDDLE_DPX_2(__vimin_##kind##_relu, _W, _T, HEDDLE_LARGER(HEDDLE_SMALLER(a, b), zero))
HEDDLE_DPX(s32, int, int, unsigned int)
HEDDLE_DPX(u32, unsigned int, unsigned int, unsigned int)
HEDDLE_DPX(s16x2, unsigned int, __heddle_s2, __heddle_u2)
HEDDLE_DPX(u16x2, unsigned int, __heddle_u2, __heddle_u2)
HEDDLE_DPX_RELU(s32, int, int, unsigned int)
HEDDLE_DPX_RELU(s16x2, unsigned int, __heddle_s2, __heddle_u2)

// Which of the two it was: the first one, also where both are the same.
#define HEDDLE_DPX_SIDE(name, _T, sign)                                                                                \
  HEDDLE_BOTH _T name(_T a, _T b, bool *pred) {                                                                        \
    *pred = a sign b;                                                                                                  \
    return *pred ? a : b;                                                                                              \
  }
HEDDLE_DPX_SIDE(__vibmax_s32, int, >=)
HEDDLE_DPX_SIDE(__vibmax_u32, unsigned int, >=)
HEDDLE_DPX_SIDE(__vibmin_s32, int, <=)
HEDDLE_DPX_SIDE(__vibmin_u32, unsigned int, <=)
#define HEDDLE_DPX_SIDES(name, _T, sign)                                                                               \
  HEDDLE_BOTH unsigned int name(unsigned int a_, unsigned int b_, bool *high, bool *low) {                             \
    _T a = __builtin_bit_cast(_T, a_), b = __builtin_bit_cast(_T, b_);                                                 \
    *low = a[0] sign b[0], *high = a[1] sign b[1];                                                                     \
    _T both = {*low ? a[0] : b[0], *high ? a[1] : b[1]};                                                               \
    return __builtin_bit_cast(unsigned int, both);                                                                     \
  }
HEDDLE_DPX_SIDES(__vibmax_s16x2, __heddle_s2, >=)
HEDDLE_DPX_SIDES(__vibmax_u16x2, __heddle_u2, >=)
HEDDLE_DPX_SIDES(__vibmin_s16x2, __heddle_s2, <=)
HEDDLE_DPX_SIDES(__vibmin_u16x2, __heddle_u2, <=)
#undef HEDDLE_DPX_3
#undef HEDDLE_DPX_2
#undef HEDDLE_DPX
#undef HEDDLE_DPX_RELU
#undef HEDDLE_DPX_SIDE
#undef HEDDLE_DPX_SIDES
#undef HEDDLE_LARGER
#undef HEDDLE_SMALLER
