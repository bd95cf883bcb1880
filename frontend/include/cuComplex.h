// Complex numbers in C.
#pragma once
#include "heddle/device.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define HEDDLE_COMPLEX(Z, R, make, f, root)                                                                            \
  HEDDLE_BOTH Z make(R x, R y) { return {x, y}; }                                                                      \
  HEDDLE_BOTH R cuCreal##f(Z z) { return z.x; }                                                                        \
  HEDDLE_BOTH R cuCimag##f(Z z) { return z.y; }                                                                        \
  HEDDLE_BOTH Z cuConj##f(Z z) { return {z.x, -z.y}; }                                                                 \
  HEDDLE_BOTH Z cuCadd##f(Z a, Z b) { return {a.x + b.x, a.y + b.y}; }                                                 \
  HEDDLE_BOTH Z cuCsub##f(Z a, Z b) { return {a.x - b.x, a.y - b.y}; }                                                 \
  HEDDLE_BOTH Z cuCmul##f(Z a, Z b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                         \
  HEDDLE_BOTH Z cuCdiv##f(Z a, Z b) {                                                                                  \
    R size = b.x * b.x + b.y * b.y;                                                                                    \
    return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};                                           \
  }                                                                                                                    \
  HEDDLE_BOTH R cuCabs##f(Z z) { return root(z.x * z.x + z.y * z.y); }                                                 \
  HEDDLE_BOTH Z cuCfma##f(Z a, Z b, Z c) { return cuCadd##f(cuCmul##f(a, b), c); }
HEDDLE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, __builtin_sqrtf)
HEDDLE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , __builtin_sqrt)
#undef HEDDLE_COMPLEX
HEDDLE_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
HEDDLE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
HEDDLE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
