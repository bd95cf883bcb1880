// Who a thread is: `threadIdx`, `blockIdx`, `blockDim`, `gridDim`, `warpSize`.
#pragma once
#include "vectors.h"

#define HEDDLE_ID_FIELD(field, read)                                                                                   \
  __declspec(property(get = heddle_##field)) unsigned int field;                                                       \
  static __inline__ __attribute__((device, always_inline, nodebug, const)) unsigned int heddle_##field() {             \
    return read;                                                                                                       \
  }
#define HEDDLE_ID(type, sreg, name)                                                                                    \
  struct type {                                                                                                        \
    HEDDLE_ID_FIELD(x, __nvvm_read_ptx_sreg_##sreg##_x())                                                              \
    HEDDLE_ID_FIELD(y, __nvvm_read_ptx_sreg_##sreg##_y())                                                              \
    HEDDLE_ID_FIELD(z, __nvvm_read_ptx_sreg_##sreg##_z())                                                              \
    __attribute__((device, always_inline, nodebug)) operator uint3() const { return {x, y, z}; }                       \
    __attribute__((device, always_inline, nodebug)) operator dim3() const { return dim3(x, y, z); }                    \
  };                                                                                                                   \
  extern const __attribute__((device, weak)) type name;

HEDDLE_ID(heddle_thread_id, tid, threadIdx)
HEDDLE_ID(heddle_block_id, ctaid, blockIdx)
HEDDLE_ID(heddle_block_size, ntid, blockDim)
HEDDLE_ID(heddle_grid_size, nctaid, gridDim)

__attribute__((device)) const int warpSize = 32;
