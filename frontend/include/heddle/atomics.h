// Atomic functions. The names without a suffix have device scope, `_block` block scope, `_system` system scope.
//
// They are clang's builtins, so that a file means the same with this header set and with a real toolkit, but for `atomicCAS`.
#pragma once
#include "vectors.h"
#include "words.h"

// Atomics on one of the builtin types, for the three scopes.
#define HEDDLE_ATOMIC(name, _T, builtin, _B)                                                                           \
  HEDDLE_DEVICE _T name(_T *p, _T v) { return (_T)__nvvm_atom_##builtin((_B *)p, (_B)v); }                             \
  HEDDLE_DEVICE _T name##_block(_T *p, _T v) { return (_T)__nvvm_atom_cta_##builtin((_B *)p, (_B)v); }                 \
  HEDDLE_DEVICE _T name##_system(_T *p, _T v) { return (_T)__nvvm_atom_sys_##builtin((_B *)p, (_B)v); }

HEDDLE_ATOMIC(atomicAdd, int, add_gen_i, int)
HEDDLE_ATOMIC(atomicAdd, unsigned int, add_gen_i, int)
HEDDLE_ATOMIC(atomicAdd, unsigned long long, add_gen_ll, long long)
HEDDLE_ATOMIC(atomicExch, int, xchg_gen_i, int)
HEDDLE_ATOMIC(atomicExch, unsigned int, xchg_gen_i, int)
HEDDLE_ATOMIC(atomicExch, unsigned long long, xchg_gen_ll, long long)
HEDDLE_ATOMIC(atomicAnd, int, and_gen_i, int)
HEDDLE_ATOMIC(atomicAnd, unsigned int, and_gen_i, int)
HEDDLE_ATOMIC(atomicAnd, unsigned long long, and_gen_ll, long long)
HEDDLE_ATOMIC(atomicAnd, long long, and_gen_ll, long long)
HEDDLE_ATOMIC(atomicOr, int, or_gen_i, int)
HEDDLE_ATOMIC(atomicOr, unsigned int, or_gen_i, int)
HEDDLE_ATOMIC(atomicOr, unsigned long long, or_gen_ll, long long)
HEDDLE_ATOMIC(atomicOr, long long, or_gen_ll, long long)
HEDDLE_ATOMIC(atomicXor, int, xor_gen_i, int)
HEDDLE_ATOMIC(atomicXor, unsigned int, xor_gen_i, int)
HEDDLE_ATOMIC(atomicXor, unsigned long long, xor_gen_ll, long long)
HEDDLE_ATOMIC(atomicXor, long long, xor_gen_ll, long long)
HEDDLE_ATOMIC(atomicMax, int, max_gen_i, int)
HEDDLE_ATOMIC(atomicMax, unsigned int, max_gen_ui, unsigned int)
HEDDLE_ATOMIC(atomicMax, long long, max_gen_ll, long long)
HEDDLE_ATOMIC(atomicMax, unsigned long long, max_gen_ull, unsigned long long)
HEDDLE_ATOMIC(atomicMin, int, min_gen_i, int)
HEDDLE_ATOMIC(atomicMin, unsigned int, min_gen_ui, unsigned int)
HEDDLE_ATOMIC(atomicMin, long long, min_gen_ll, long long)
HEDDLE_ATOMIC(atomicMin, unsigned long long, min_gen_ull, unsigned long long)
HEDDLE_ATOMIC(atomicAdd, float, add_gen_f, float)
HEDDLE_ATOMIC(atomicAdd, double, add_gen_d, double)
HEDDLE_ATOMIC(atomicInc, unsigned int, inc_gen_ui, unsigned int)
HEDDLE_ATOMIC(atomicDec, unsigned int, dec_gen_ui, unsigned int)

#define HEDDLE_ATOMIC_SUB(suffix)                                                                                      \
  HEDDLE_DEVICE int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, -v); }                              \
  HEDDLE_DEVICE unsigned int atomicSub##suffix(unsigned int *p, unsigned int v) { return atomicAdd##suffix(p, -v); }   \
  HEDDLE_DEVICE float atomicExch##suffix(float *p, float v) {                                                          \
    return __builtin_bit_cast(float, atomicExch##suffix((int *)p, __builtin_bit_cast(int, v)));                        \
  }
HEDDLE_ATOMIC_SUB()
HEDDLE_ATOMIC_SUB(_block)
HEDDLE_ATOMIC_SUB(_system)

// Relaxed, as CUDA documents it. Clang's builtin for it becomes a `cmpxchg` that claims the strongest order, which neither
// CUDA's documentation nor other compilers' `atom.cas` gives.
#define HEDDLE_ATOMIC_CAS(_T, builtin, _B, bits, reg)                                                                  \
  HEDDLE_DEVICE _T atomicCAS(_T *p, _T c, _T v) {                                                                      \
    _T old;                                                                                                            \
    asm volatile("atom.cas." bits " %0, [%1], %2, %3;" : "=" reg(old) : "l"(p), reg(c), reg(v) : "memory");            \
    return old;                                                                                                        \
  }                                                                                                                    \
  HEDDLE_DEVICE _T atomicCAS_block(_T *p, _T c, _T v) { return (_T)__nvvm_atom_cta_cas_gen_##builtin((_B *)p, (_B)c, (_B)v); } \
  HEDDLE_DEVICE _T atomicCAS_system(_T *p, _T c, _T v) { return (_T)__nvvm_atom_sys_cas_gen_##builtin((_B *)p, (_B)c, (_B)v); }
HEDDLE_ATOMIC_CAS(int, i, int, "b32", "r")
HEDDLE_ATOMIC_CAS(unsigned int, i, int, "b32", "r")
HEDDLE_ATOMIC_CAS(unsigned long long, ll, long long, "b64", "l")
HEDDLE_ATOMIC_CAS(unsigned short, us, unsigned short, "b16", "h")

// Of vectors of floats each number is one atomic: not the whole.
#define HEDDLE_ATOMIC_VECTOR(suffix)                                                                                   \
  HEDDLE_DEVICE float2 atomicAdd##suffix(float2 *p, float2 v) {                                                        \
    return {atomicAdd##suffix(&p->x, v.x), atomicAdd##suffix(&p->y, v.y)};                                             \
  }                                                                                                                    \
  HEDDLE_DEVICE float4 atomicAdd##suffix(float4 *p, float4 v) {                                                        \
    return {atomicAdd##suffix(&p->x, v.x), atomicAdd##suffix(&p->y, v.y), atomicAdd##suffix(&p->z, v.z),               \
            atomicAdd##suffix(&p->w, v.w)};                                                                            \
  }
HEDDLE_ATOMIC_VECTOR()
HEDDLE_ATOMIC_VECTOR(_block)
HEDDLE_ATOMIC_VECTOR(_system)
