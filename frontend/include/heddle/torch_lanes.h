// Exchanges among lanes by the names of PyTorch, which no other header of it brings.
#pragma once
#include "torch.h"

#define HEDDLE_TORCH_LANES(name, of)                                                                                   \
  template <class _T>                                                                                                  \
  static __attribute__((device, always_inline, nodebug)) inline _T name(_T v, int by, int width = 32,                  \
                                                                       unsigned int mask = 0xffffffffu) {              \
    return of(mask, v, by, width);                                                                                     \
  }
HEDDLE_TORCH_LANES(WARP_SHFL, __shfl_sync)
HEDDLE_TORCH_LANES(WARP_SHFL_XOR, __shfl_xor_sync)
HEDDLE_TORCH_LANES(WARP_SHFL_UP, __shfl_up_sync)
HEDDLE_TORCH_LANES(WARP_SHFL_DOWN, __shfl_down_sync)
#undef HEDDLE_TORCH_LANES
static __attribute__((device, always_inline, nodebug)) inline unsigned int WARP_BALLOT(int v, unsigned int mask = 0xffffffffu) {
  return __ballot_sync(mask, v);
}
static __attribute__((device, always_inline, nodebug)) inline void WARP_SYNC(unsigned int mask = 0xffffffffu) {
  __syncwarp(mask);
}
