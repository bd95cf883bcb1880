// Complex numbers in C.
#pragma once
#include "heddle/device.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define HEDDLE_COMPLEX(_Z, _R, make, f, root)                                                                          \
  HEDDLE_BOTH _Z make(_R x, _R y) { return {x, y}; }                                                                   \
  HEDDLE_BOTH _R cuCreal##f(_Z z) { return z.x; }                                                                      \
  HEDDLE_BOTH _R cuCimag##f(_Z z) { return z.y; }                                                                      \
  HEDDLE_BOTH _Z cuConj##f(_Z z) { return {z.x, -z.y}; }                                                               \
  HEDDLE_BOTH _Z cuCadd##f(_Z a, _Z b) { return {a.x + b.x, a.y + b.y}; }                                              \
  HEDDLE_BOTH _Z cuCsub##f(_Z a, _Z b) { return {a.x - b.x, a.y - b.y}; }                                              \
  HEDDLE_BOTH _Z cuCmul##f(_Z a, _Z b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                      \
  HEDDLE_BOTH _Z cuCdiv##f(_Z a, _Z b) {                                                                               \
    _R size = b.x * b.x + b.y * b.y;                                                                                   \
    return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};                                           \
  }                                                                                                                    \
  HEDDLE_BOTH _R cuCabs##f(_Z z) { return root(z.x * z.x + z.y * z.y); }                                               \
  HEDDLE_BOTH _Z cuCfma##f(_Z a, _Z b, _Z c) { return cuCadd##f(cuCmul##f(a, b), c); }
HEDDLE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, __builtin_sqrtf)
HEDDLE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , __builtin_sqrt)
#undef HEDDLE_COMPLEX
HEDDLE_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
HEDDLE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
HEDDLE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
