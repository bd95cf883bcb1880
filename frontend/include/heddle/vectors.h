// Vector types and `dim3`.
#pragma once
#include "words.h"

#define HEDDLE_VECTOR(_T, name, a2, a4)                                                                                \
  struct name##1 { _T x; };                                                                                            \
  struct __attribute__((aligned(a2))) name##2 { _T x, y; };                                                            \
  struct name##3 { _T x, y, z; };                                                                                      \
  struct __attribute__((aligned(a4))) name##4 { _T x, y, z, w; };                                                      \
  HEDDLE_BOTH name##1 make_##name##1(_T x) { return {x}; }                                                             \
  HEDDLE_BOTH name##2 make_##name##2(_T x, _T y) { return {x, y}; }                                                    \
  HEDDLE_BOTH name##3 make_##name##3(_T x, _T y, _T z) { return {x, y, z}; }                                           \
  HEDDLE_BOTH name##4 make_##name##4(_T x, _T y, _T z, _T w) { return {x, y, z, w}; }

HEDDLE_VECTOR(signed char, char, 2, 4)
HEDDLE_VECTOR(unsigned char, uchar, 2, 4)
HEDDLE_VECTOR(short, short, 4, 8)
HEDDLE_VECTOR(unsigned short, ushort, 4, 8)
HEDDLE_VECTOR(int, int, 8, 16)
HEDDLE_VECTOR(unsigned int, uint, 8, 16)
HEDDLE_VECTOR(long, long, 16, 16)
HEDDLE_VECTOR(unsigned long, ulong, 16, 16)
HEDDLE_VECTOR(long long, longlong, 16, 16)
HEDDLE_VECTOR(unsigned long long, ulonglong, 16, 16)
HEDDLE_VECTOR(float, float, 8, 16)
HEDDLE_VECTOR(double, double, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device, always_inline, nodebug)) constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                                                       unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device, always_inline, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device, always_inline, nodebug)) constexpr operator uint3() const { return {x, y, z}; }
};
