// Two or four integers in one word (CUDA's SIMD intrinsics): the same operation on each.
//
// In a name, `s` and `u` say signed and unsigned, `ss` and `us` that a result is held within its range.
#pragma once
#include "words.h"

typedef short __heddle_s2 __attribute__((ext_vector_type(2)));
typedef unsigned short __heddle_u2 __attribute__((ext_vector_type(2)));
typedef signed char __heddle_s4 __attribute__((ext_vector_type(4)));
typedef unsigned char __heddle_u4 __attribute__((ext_vector_type(4)));

#define HEDDLE_LANES_1(name, n, kind, expression)                                                                      \
  HEDDLE_DEVICE unsigned int name##n(unsigned int a_) {                                                                \
    __heddle_##kind##n a = __builtin_bit_cast(__heddle_##kind##n, a_);                                                 \
    return __builtin_bit_cast(unsigned int, (__heddle_##kind##n)(expression));                                         \
  }
#define HEDDLE_LANES_2(name, n, kind, expression)                                                                      \
  HEDDLE_DEVICE unsigned int name##n(unsigned int a_, unsigned int b_) {                                               \
    __heddle_##kind##n a = __builtin_bit_cast(__heddle_##kind##n, a_),                                                 \
                       b = __builtin_bit_cast(__heddle_##kind##n, b_);                                                 \
    return __builtin_bit_cast(unsigned int, expression);                                                               \
  }
#define HEDDLE_LANES(form, name, kind, expression)                                                                     \
  HEDDLE_LANES_##form(name, 2, kind, expression) HEDDLE_LANES_##form(name, 4, kind, expression)

HEDDLE_LANES(1, __vneg, u, -a)
HEDDLE_LANES(1, __vnegss, s, __builtin_elementwise_sub_sat(a - a, a))
HEDDLE_LANES(1, __vabs, s, __builtin_elementwise_abs(a))
HEDDLE_LANES(1, __vabsss, s, __builtin_elementwise_max(a, __builtin_elementwise_sub_sat(a - a, a)))
HEDDLE_LANES(2, __vadd, u, a + b)
HEDDLE_LANES(2, __vaddss, s, __builtin_elementwise_add_sat(a, b))
HEDDLE_LANES(2, __vaddus, u, __builtin_elementwise_add_sat(a, b))
HEDDLE_LANES(2, __vsub, u, a - b)
HEDDLE_LANES(2, __vsubss, s, __builtin_elementwise_sub_sat(a, b))
HEDDLE_LANES(2, __vsubus, u, __builtin_elementwise_sub_sat(a, b))
HEDDLE_LANES(2, __vmaxs, s, __builtin_elementwise_max(a, b))
HEDDLE_LANES(2, __vmaxu, u, __builtin_elementwise_max(a, b))
HEDDLE_LANES(2, __vmins, s, __builtin_elementwise_min(a, b))
HEDDLE_LANES(2, __vminu, u, __builtin_elementwise_min(a, b))
HEDDLE_LANES(2, __vabsdiffs, s, __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))
HEDDLE_LANES(2, __vabsdiffu, u, __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))
// Averages: what both have, and half of what one has; rounded down, up, and away from zero.
HEDDLE_LANES(2, __vhaddu, u, (a & b) + ((a ^ b) >> 1))
HEDDLE_LANES(2, __vavgu, u, (a | b) - ((a ^ b) >> 1))
HEDDLE_LANES(2, __vavgs, s, (a & b) + ((a ^ b) >> 1) + ((a ^ b) & 1 & ((a & b) + ((a ^ b) >> 1) >= 0)))

// Comparisons: all bits of a lane, or its lowest.
#define HEDDLE_LANES_COMPARE(name, kind, operation)                                                                    \
  HEDDLE_LANES(2, __vcmp##name, kind, a operation b)                                                                   \
  HEDDLE_DEVICE unsigned int __vset##name##2(unsigned int a, unsigned int b) {                                         \
    return __vcmp##name##2(a, b) & 0x10001u;                                                                           \
  }                                                                                                                    \
  HEDDLE_DEVICE unsigned int __vset##name##4(unsigned int a, unsigned int b) {                                         \
    return __vcmp##name##4(a, b) & 0x1010101u;                                                                         \
  }
HEDDLE_LANES_COMPARE(eq, u, ==)
HEDDLE_LANES_COMPARE(ne, u, !=)
HEDDLE_LANES_COMPARE(ges, s, >=)
HEDDLE_LANES_COMPARE(geu, u, >=)
HEDDLE_LANES_COMPARE(gts, s, >)
HEDDLE_LANES_COMPARE(gtu, u, >)
HEDDLE_LANES_COMPARE(les, s, <=)
HEDDLE_LANES_COMPARE(leu, u, <=)
HEDDLE_LANES_COMPARE(lts, s, <)
HEDDLE_LANES_COMPARE(ltu, u, <)

// Sums of absolute differences over the lanes.
HEDDLE_DEVICE unsigned int __vsadu2(unsigned int a, unsigned int b) {
  unsigned int d = __vabsdiffu2(a, b);
  return (d & 0xffff) + (d >> 16);
}
HEDDLE_DEVICE unsigned int __vsads2(unsigned int a, unsigned int b) {
  unsigned int d = __vabsdiffs2(a, b);
  return (d & 0xffff) + (d >> 16);
}
HEDDLE_DEVICE unsigned int __vsadu4(unsigned int a, unsigned int b) {
  unsigned int d = __vabsdiffu4(a, b);
  return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);
}
HEDDLE_DEVICE unsigned int __vsads4(unsigned int a, unsigned int b) {
  unsigned int d = __vabsdiffs4(a, b);
  return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);
}
