// What nvcc gives beside a toolkit's headers and clang does not: read after the headers of the toolkit, before the file.
#pragma once

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <math.h>
#include <time.h>

// A store with a hint for the cache is a store.
#define HEDDLE_HINTED(name)                                                                                            \
  template <class _T> static __inline__ __attribute__((device, always_inline, nodebug)) void name(_T *p, _T v) { *p = v; }
HEDDLE_HINTED(__stcs)
HEDDLE_HINTED(__stcg)
HEDDLE_HINTED(__stwb)
#undef HEDDLE_HINTED

// In CUDA the host has these without a namespace, also of two types.
#define HEDDLE_HOST_CHOICE(_R, _A, _B)                                                                                 \
  static __inline__ __attribute__((host, nodebug)) _R min(_A a, _B b) { return (_R)b < (_R)a ? (_R)b : (_R)a; }        \
  static __inline__ __attribute__((host, nodebug)) _R max(_A a, _B b) { return (_R)a < (_R)b ? (_R)b : (_R)a; }
#define HEDDLE_HOST_INTEGERS(_T)                                                                                       \
  HEDDLE_HOST_CHOICE(_T, _T, _T)                                                                                       \
  HEDDLE_HOST_CHOICE(unsigned _T, unsigned _T, unsigned _T)                                                            \
  HEDDLE_HOST_CHOICE(unsigned _T, _T, unsigned _T)                                                                     \
  HEDDLE_HOST_CHOICE(unsigned _T, unsigned _T, _T)
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
