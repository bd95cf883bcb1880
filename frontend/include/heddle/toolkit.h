// What nvcc gives beside a toolkit's headers and clang does not: read after the headers of the toolkit, before the file.
#pragma once

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <math.h>
#include <time.h>

// A store with a hint for the cache is a store.
#define HEDDLE_HINTED(name)                                                                                            \
  template <class T> static __inline__ __attribute__((device, always_inline, nodebug)) void name(T *p, T v) { *p = v; }
HEDDLE_HINTED(__stcs)
HEDDLE_HINTED(__stcg)
HEDDLE_HINTED(__stwb)
#undef HEDDLE_HINTED

// In CUDA the host has these without a namespace, also of two types.
#define HEDDLE_HOST_CHOICE(R, A, B)                                                                                    \
  static __inline__ __attribute__((host, nodebug)) R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }               \
  static __inline__ __attribute__((host, nodebug)) R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define HEDDLE_HOST_INTEGERS(T)                                                                                        \
  HEDDLE_HOST_CHOICE(T, T, T)                                                                                          \
  HEDDLE_HOST_CHOICE(unsigned T, unsigned T, unsigned T)                                                               \
  HEDDLE_HOST_CHOICE(unsigned T, T, unsigned T)                                                                        \
  HEDDLE_HOST_CHOICE(unsigned T, unsigned T, T)
HEDDLE_HOST_INTEGERS(int)
HEDDLE_HOST_INTEGERS(long)
HEDDLE_HOST_INTEGERS(long long)
HEDDLE_HOST_CHOICE(float, float, float)
HEDDLE_HOST_CHOICE(double, double, double)
HEDDLE_HOST_CHOICE(double, float, double)
HEDDLE_HOST_CHOICE(double, double, float)
#undef HEDDLE_HOST_INTEGERS
#undef HEDDLE_HOST_CHOICE
#endif
