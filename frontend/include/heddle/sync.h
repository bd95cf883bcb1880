// Barriers, fences, and what the threads of a warp do together.
#pragma once
#include "ids.h"

// Barriers of the block. `__syncthreads` itself is a builtin of clang.
HEDDLE_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
HEDDLE_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
HEDDLE_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
HEDDLE_DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
HEDDLE_DEVICE void __barrier_sync_count(unsigned int id, unsigned int n) { __nvvm_barrier_sync_cnt(id, n); }
HEDDLE_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

// Fences.
HEDDLE_DEVICE void __threadfence() { __nvvm_membar_gl(); }
HEDDLE_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
HEDDLE_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

// Votes and matches.
HEDDLE_DEVICE int __all_sync(unsigned int mask, int p) { return __nvvm_vote_all_sync(mask, p); }
HEDDLE_DEVICE int __any_sync(unsigned int mask, int p) { return __nvvm_vote_any_sync(mask, p); }
HEDDLE_DEVICE int __uni_sync(unsigned int mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
HEDDLE_DEVICE unsigned int __ballot_sync(unsigned int mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
HEDDLE_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }
HEDDLE_DEVICE int __all(int p) { return __nvvm_vote_all(p); }
HEDDLE_DEVICE int __any(int p) { return __nvvm_vote_any(p); }
HEDDLE_DEVICE unsigned int __ballot(int p) { return __nvvm_vote_ballot(p); }

#define HEDDLE_MATCH(_T, width, as)                                                                                    \
  HEDDLE_DEVICE unsigned int __match_any_sync(unsigned int mask, _T v) {                                               \
    return __nvvm_match_any_sync_##width(mask, as);                                                                    \
  }                                                                                                                    \
  HEDDLE_DEVICE unsigned int __match_all_sync(unsigned int mask, _T v, int *p) {                                       \
    return __nvvm_match_all_sync_##width##p(mask, as, p);                                                              \
  }
HEDDLE_MATCH(int, i32, (unsigned int)v)
HEDDLE_MATCH(unsigned int, i32, v)
HEDDLE_MATCH(long, i64, (unsigned long long)v)
HEDDLE_MATCH(unsigned long, i64, (unsigned long long)v)
HEDDLE_MATCH(long long, i64, (unsigned long long)v)
HEDDLE_MATCH(unsigned long long, i64, v)
HEDDLE_MATCH(float, i32, __builtin_bit_cast(unsigned int, v))
HEDDLE_MATCH(double, i64, __builtin_bit_cast(unsigned long long, v))

// Warp reductions (sm_80).
HEDDLE_DEVICE unsigned int __reduce_add_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_add(v, m); }
HEDDLE_DEVICE unsigned int __reduce_min_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_umin(v, m); }
HEDDLE_DEVICE unsigned int __reduce_max_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_umax(v, m); }
HEDDLE_DEVICE int __reduce_add_sync(unsigned int m, int v) { return __nvvm_redux_sync_add(v, m); }
HEDDLE_DEVICE int __reduce_min_sync(unsigned int m, int v) { return __nvvm_redux_sync_min(v, m); }
HEDDLE_DEVICE int __reduce_max_sync(unsigned int m, int v) { return __nvvm_redux_sync_max(v, m); }
HEDDLE_DEVICE unsigned int __reduce_and_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_and(v, m); }
HEDDLE_DEVICE unsigned int __reduce_or_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_or(v, m); }
HEDDLE_DEVICE unsigned int __reduce_xor_sync(unsigned int m, unsigned int v) { return __nvvm_redux_sync_xor(v, m); }

// Shuffles. The last operand of the instruction packs the segment mask and the bound of the lane (PTX ISA, shfl.sync):
// 0x1f, or 0 for `up`, which reads lanes from below.
#define HEDDLE_SHUFFLE(name, kind, Lane, bound)                                                                        \
  HEDDLE_DEVICE int name(unsigned int mask, int v, Lane lane, int width = 32) {                                        \
    return __nvvm_shfl_sync_##kind##_i32(mask, v, lane, ((32 - width) << 8) | bound);                                  \
  }                                                                                                                    \
  HEDDLE_DEVICE unsigned int name(unsigned int mask, unsigned int v, Lane lane, int width = 32) {                      \
    return name(mask, (int)v, lane, width);                                                                            \
  }                                                                                                                    \
  HEDDLE_DEVICE float name(unsigned int mask, float v, Lane lane, int width = 32) {                                    \
    return __nvvm_shfl_sync_##kind##_f32(mask, v, lane, ((32 - width) << 8) | bound);                                  \
  }                                                                                                                    \
  HEDDLE_DEVICE long long name(unsigned int mask, long long v, Lane lane, int width = 32) {                            \
    unsigned int low = name(mask, (unsigned int)v, lane, width);                                                       \
    unsigned int high = name(mask, (unsigned int)((unsigned long long)v >> 32), lane, width);                          \
    return (long long)((unsigned long long)high << 32 | low);                                                          \
  }                                                                                                                    \
  HEDDLE_DEVICE unsigned long long name(unsigned int mask, unsigned long long v, Lane lane, int width = 32) {          \
    return (unsigned long long)name(mask, (long long)v, lane, width);                                                  \
  }                                                                                                                    \
  HEDDLE_DEVICE long name(unsigned int mask, long v, Lane lane, int width = 32) {                                      \
    return (long)name(mask, (long long)v, lane, width);                                                                \
  }                                                                                                                    \
  HEDDLE_DEVICE unsigned long name(unsigned int mask, unsigned long v, Lane lane, int width = 32) {                    \
    return (unsigned long)name(mask, (long long)v, lane, width);                                                       \
  }                                                                                                                    \
  HEDDLE_DEVICE double name(unsigned int mask, double v, Lane lane, int width = 32) {                                  \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, v), lane, width));                      \
  }
HEDDLE_SHUFFLE(__shfl_sync, idx, int, 0x1f)
HEDDLE_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
HEDDLE_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
HEDDLE_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)

// The forms without a mask, from before sm_70.
template <class _T> HEDDLE_DEVICE _T __shfl(_T v, int lane, int w = 32) { return __shfl_sync(~0u, v, lane, w); }
template <class _T> HEDDLE_DEVICE _T __shfl_up(_T v, unsigned d, int w = 32) { return __shfl_up_sync(~0u, v, d, w); }
template <class _T> HEDDLE_DEVICE _T __shfl_down(_T v, unsigned d, int w = 32) { return __shfl_down_sync(~0u, v, d, w); }
template <class _T> HEDDLE_DEVICE _T __shfl_xor(_T v, int m, int w = 32) { return __shfl_xor_sync(~0u, v, m, w); }

// Time.
HEDDLE_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
HEDDLE_DEVICE long clock() { return __nvvm_read_ptx_sreg_clock(); }
HEDDLE_DEVICE void __nanosleep(unsigned int ns) { __nvvm_nanosleep(ns); }
HEDDLE_DEVICE void __trap() { __builtin_trap(); }
HEDDLE_DEVICE void __brkpt() {}
#define __prof_trigger(n) ((void)(n))
#define __assume(...) __builtin_assume(__VA_ARGS__)

// Loads through the read-only cache: of memory that the kernel must not write.
template <class _T> HEDDLE_DEVICE _T __ldg(const _T *p) { return *p; }
#define HEDDLE_LDG(_T, of)                                                                                             \
  HEDDLE_DEVICE _T __ldg(const _T *p) { return __nvvm_ldg_##of(p); }
#define HEDDLE_LDG_2(_T, _S, of)                                                                                       \
  HEDDLE_DEVICE _T __ldg(const _T *p) {                                                                                \
    typedef _S two __attribute__((ext_vector_type(2)));                                                                \
    two v = __nvvm_ldg_##of(reinterpret_cast<const two *>(p));                                                         \
    return {v[0], v[1]};                                                                                               \
  }
#define HEDDLE_LDG_4(_T, _S, of)                                                                                       \
  HEDDLE_DEVICE _T __ldg(const _T *p) {                                                                                \
    typedef _S four __attribute__((ext_vector_type(4)));                                                               \
    four v = __nvvm_ldg_##of(reinterpret_cast<const four *>(p));                                                       \
    return {v[0], v[1], v[2], v[3]};                                                                                   \
  }
HEDDLE_LDG(char, c)
HEDDLE_LDG(signed char, sc)
HEDDLE_LDG(short, s)
HEDDLE_LDG(int, i)
HEDDLE_LDG(long, l)
HEDDLE_LDG(long long, ll)
HEDDLE_LDG(unsigned char, uc)
HEDDLE_LDG(unsigned short, us)
HEDDLE_LDG(unsigned int, ui)
HEDDLE_LDG(unsigned long, ul)
HEDDLE_LDG(unsigned long long, ull)
HEDDLE_LDG(float, f)
HEDDLE_LDG(double, d)
HEDDLE_LDG_2(char2, char, c2)
HEDDLE_LDG_2(short2, short, s2)
HEDDLE_LDG_2(int2, int, i2)
HEDDLE_LDG_2(longlong2, long long, ll2)
HEDDLE_LDG_2(uchar2, unsigned char, uc2)
HEDDLE_LDG_2(ushort2, unsigned short, us2)
HEDDLE_LDG_2(uint2, unsigned int, ui2)
HEDDLE_LDG_2(ulonglong2, unsigned long long, ull2)
HEDDLE_LDG_2(float2, float, f2)
HEDDLE_LDG_2(double2, double, d2)
HEDDLE_LDG_4(char4, char, c4)
HEDDLE_LDG_4(short4, short, s4)
HEDDLE_LDG_4(int4, int, i4)
HEDDLE_LDG_4(uchar4, unsigned char, uc4)
HEDDLE_LDG_4(ushort4, unsigned short, us4)
HEDDLE_LDG_4(uint4, unsigned int, ui4)
HEDDLE_LDG_4(float4, float, f4)
#undef HEDDLE_LDG
#undef HEDDLE_LDG_2
#undef HEDDLE_LDG_4

// Loads and stores with cache hints: plain ones, as far as meaning goes.
template <class _T> HEDDLE_DEVICE _T __ldcg(const _T *p) { return *p; }
template <class _T> HEDDLE_DEVICE _T __ldca(const _T *p) { return *p; }
template <class _T> HEDDLE_DEVICE _T __ldcs(const _T *p) { return *p; }
template <class _T> HEDDLE_DEVICE _T __ldlu(const _T *p) { return *p; }
template <class _T> HEDDLE_DEVICE _T __ldcv(const _T *p) {
  if constexpr (__is_class(_T)) {
    // A vector, element by element.
    _T read;
    constexpr int each = sizeof(read.x), count = sizeof(_T) / each;
    for (int n = 0; n < count; ++n)
      (&read.x)[n] = ((const volatile decltype(read.x) *)p)[n];
    return read;
  } else {
    return *(const volatile _T *)p;
  }
}
// The value is converted to what the pointer points to.
template <class _T> struct heddle_pointee { typedef _T Type; };
template <class _T> HEDDLE_DEVICE void __stcg(_T *p, typename heddle_pointee<_T>::Type v) { *p = v; }
template <class _T> HEDDLE_DEVICE void __stcs(_T *p, typename heddle_pointee<_T>::Type v) { *p = v; }
template <class _T> HEDDLE_DEVICE void __stwb(_T *p, typename heddle_pointee<_T>::Type v) { *p = v; }
template <class _T> HEDDLE_DEVICE void __stwt(_T *p, typename heddle_pointee<_T>::Type v) { *p = v; }

// Addresses.
HEDDLE_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(__attribute__((address_space(3))) const void *)p;
}
HEDDLE_DEVICE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(__attribute__((address_space(1))) const void *)p;
}
HEDDLE_DEVICE void *__cvta_shared_to_generic(size_t p) { return (void *)(__attribute__((address_space(3))) void *)p; }
HEDDLE_DEVICE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
HEDDLE_DEVICE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }

// Output and assertions. clang turns `printf` into `vprintf`.
extern "C" {
__attribute__((device)) int vprintf(const char *, const char *);
__attribute__((device)) int printf(const char *, ...);
__attribute__((device, nothrow)) void free(void *);
__attribute__((device, nothrow, malloc)) void *malloc(size_t);
__attribute__((device, noreturn)) void __assertfail(const char *, const char *, unsigned int, const char *, size_t);
static __inline__ __attribute__((device, noreturn, nodebug)) void __assert_fail(const char *message, const char *file,
                                                                                unsigned int line,
                                                                                const char *function) {
  __assertfail(message, file, line, function, 1);
}
}
