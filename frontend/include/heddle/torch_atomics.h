// PyTorch's additions to memory, of short floats too. A program that includes none of the headers that have them may
// declare its own.
#pragma once
#include "torch.h"

template <class _T> static __attribute__((device, always_inline, nodebug)) inline _T gpuAtomicAdd(_T *p, _T v) {
  if constexpr (std::is_same_v<_T, c10::Half>)
    return atomicAdd((__half *)p, (__half)v);
  else if constexpr (std::is_same_v<_T, c10::BFloat16>)
    return atomicAdd((__nv_bfloat16 *)p, (__nv_bfloat16)v);
  else if constexpr (sizeof(_T) == 8 && std::is_integral_v<_T>)
    return (_T)atomicAdd((unsigned long long *)p, (unsigned long long)v);
  else
    return atomicAdd(p, v);
}
template <class _T> static __attribute__((device, always_inline, nodebug)) inline void gpuAtomicAddNoReturn(_T *p, _T v) {
  gpuAtomicAdd(p, v);
}
static __attribute__((device, always_inline, nodebug)) inline c10::Half atomicAdd(c10::Half *p, c10::Half v) {
  return gpuAtomicAdd(p, v);
}
static __attribute__((device, always_inline, nodebug)) inline c10::BFloat16 atomicAdd(c10::BFloat16 *p, c10::BFloat16 v) {
  return gpuAtomicAdd(p, v);
}
