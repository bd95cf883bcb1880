// Atomic accesses with a memory order and a scope, as PTX has them: what cuda::atomic and `__nv_atomic_*` are made of.
//
// clang's `__scoped_atomic_*` lose the scope for NVPTX, and a block's atomic would count for the whole device. An
// operation of thread scope is none: it is a plain access. Orders and scopes are those of the instruction, no more: a
// fence beside a relaxed operation would order more than was asked for. Read-modify-write operations on single bytes
// are calls without a body, since no instruction does them.
#pragma once
#include "sync.h"

namespace heddle_ordered {
enum Scope { scope_system, scope_device, scope_block, scope_cluster, scope_thread = 10 };

template <int Size> struct Word;
template <> struct Word<1> { typedef unsigned char Type; };
template <> struct Word<2> { typedef unsigned short Type; };
template <> struct Word<4> { typedef unsigned int Type; };
template <> struct Word<8> { typedef unsigned long long Type; };

#define HEDDLE_STATIC static __attribute__((device, always_inline, nodebug))

// PTX by scope. The operands of `=h` hold one byte as well as two.
template <int _S> struct Ptx;
#define HEDDLE_ORDERED_LOAD(s, bits, _R, c)                                                                            \
  HEDDLE_STATIC _R load##bits(const void *p, bool acquire) {                                                           \
    _R v;                                                                                                              \
    if (acquire)                                                                                                       \
      asm volatile("ld.acquire." s ".b" #bits " %0, [%1];" : "=" c(v) : "l"(p) : "memory");                            \
    else                                                                                                               \
      asm volatile("ld.relaxed." s ".b" #bits " %0, [%1];" : "=" c(v) : "l"(p) : "memory");                            \
    return v;                                                                                                          \
  }                                                                                                                    \
  HEDDLE_STATIC void store##bits(void *p, _R v, bool release) {                                                        \
    if (release)                                                                                                       \
      asm volatile("st.release." s ".b" #bits " [%0], %1;" ::"l"(p), c(v) : "memory");                                 \
    else                                                                                                               \
      asm volatile("st.relaxed." s ".b" #bits " [%0], %1;" ::"l"(p), c(v) : "memory");                                 \
  }
#define HEDDLE_ORDERED_ATOM(order, s, name, type, c)                                                                   \
  asm volatile("atom." order "." s "." name "." type " %0, [%1], %2;" : "=" c(old) : "l"(p), c(v) : "memory")
#define HEDDLE_ORDERED_RMW(s, function, name, type, _R, c)                                                             \
  HEDDLE_STATIC _R function(void *p, _R v, int order) {                                                                \
    _R old;                                                                                                            \
    if (order == __ATOMIC_RELAXED)                                                                                     \
      HEDDLE_ORDERED_ATOM("relaxed", s, name, type, c);                                                                \
    else if (order == __ATOMIC_RELEASE)                                                                                \
      HEDDLE_ORDERED_ATOM("release", s, name, type, c);                                                                \
    else if (order == __ATOMIC_ACQ_REL)                                                                                \
      HEDDLE_ORDERED_ATOM("acq_rel", s, name, type, c);                                                                \
    else                                                                                                               \
      HEDDLE_ORDERED_ATOM("acquire", s, name, type, c);                                                                \
    return old;                                                                                                        \
  }
#define HEDDLE_ORDERED_COMPARE(order, s, bits, c)                                                                      \
  asm volatile("atom." order "." s ".cas.b" #bits " %0, [%1], %2, %3;"                                                 \
               : "=" c(old)                                                                                            \
               : "l"(p), c(expected), c(v)                                                                             \
               : "memory")
#define HEDDLE_ORDERED_CAS(s, bits, _R, c)                                                                             \
  HEDDLE_STATIC _R cas##bits(void *p, _R expected, _R v, int order) {                                                  \
    _R old;                                                                                                            \
    if (order == __ATOMIC_RELAXED)                                                                                     \
      HEDDLE_ORDERED_COMPARE("relaxed", s, bits, c);                                                                   \
    else if (order == __ATOMIC_RELEASE)                                                                                \
      HEDDLE_ORDERED_COMPARE("release", s, bits, c);                                                                   \
    else if (order == __ATOMIC_ACQ_REL)                                                                                \
      HEDDLE_ORDERED_COMPARE("acq_rel", s, bits, c);                                                                   \
    else                                                                                                               \
      HEDDLE_ORDERED_COMPARE("acquire", s, bits, c);                                                                   \
    return old;                                                                                                        \
  }
#define HEDDLE_ORDERED_SCOPE(number, s)                                                                                \
  template <> struct Ptx<number> {                                                                                     \
    HEDDLE_STATIC void fence(int order) {                                                                              \
      if (order == __ATOMIC_SEQ_CST)                                                                                   \
        asm volatile("fence.sc." s ";" ::: "memory");                                                                  \
      else if (order != __ATOMIC_RELAXED)                                                                              \
        asm volatile("fence.acq_rel." s ";" ::: "memory");                                                             \
    }                                                                                                                  \
    HEDDLE_ORDERED_LOAD(s, 8, unsigned short, "h")                                                                     \
    HEDDLE_ORDERED_LOAD(s, 16, unsigned short, "h")                                                                    \
    HEDDLE_ORDERED_LOAD(s, 32, unsigned int, "r")                                                                      \
    HEDDLE_ORDERED_LOAD(s, 64, unsigned long long, "l")                                                                \
    HEDDLE_ORDERED_RMW(s, exch32, "exch", "b32", unsigned int, "r")                                                    \
    HEDDLE_ORDERED_RMW(s, exch64, "exch", "b64", unsigned long long, "l")                                              \
    HEDDLE_ORDERED_RMW(s, add, "add", "u32", unsigned int, "r")                                                        \
    HEDDLE_ORDERED_RMW(s, add, "add", "u64", unsigned long long, "l")                                                  \
    HEDDLE_ORDERED_RMW(s, add, "add", "f32", float, "f")                                                               \
    HEDDLE_ORDERED_RMW(s, add, "add", "f64", double, "d")                                                              \
    HEDDLE_ORDERED_RMW(s, bit_and, "and", "b32", unsigned int, "r")                                                    \
    HEDDLE_ORDERED_RMW(s, bit_and, "and", "b64", unsigned long long, "l")                                              \
    HEDDLE_ORDERED_RMW(s, bit_or, "or", "b32", unsigned int, "r")                                                      \
    HEDDLE_ORDERED_RMW(s, bit_or, "or", "b64", unsigned long long, "l")                                                \
    HEDDLE_ORDERED_RMW(s, bit_xor, "xor", "b32", unsigned int, "r")                                                    \
    HEDDLE_ORDERED_RMW(s, bit_xor, "xor", "b64", unsigned long long, "l")                                              \
    HEDDLE_ORDERED_RMW(s, minimum, "min", "s32", int, "r")                                                             \
    HEDDLE_ORDERED_RMW(s, minimum, "min", "u32", unsigned int, "r")                                                    \
    HEDDLE_ORDERED_RMW(s, minimum, "min", "s64", long long, "l")                                                       \
    HEDDLE_ORDERED_RMW(s, minimum, "min", "u64", unsigned long long, "l")                                              \
    HEDDLE_ORDERED_RMW(s, maximum, "max", "s32", int, "r")                                                             \
    HEDDLE_ORDERED_RMW(s, maximum, "max", "u32", unsigned int, "r")                                                    \
    HEDDLE_ORDERED_RMW(s, maximum, "max", "s64", long long, "l")                                                       \
    HEDDLE_ORDERED_RMW(s, maximum, "max", "u64", unsigned long long, "l")                                              \
    HEDDLE_ORDERED_CAS(s, 16, unsigned short, "h")                                                                     \
    HEDDLE_ORDERED_CAS(s, 32, unsigned int, "r")                                                                       \
    HEDDLE_ORDERED_CAS(s, 64, unsigned long long, "l")                                                                 \
  };
HEDDLE_ORDERED_SCOPE(scope_system, "sys")
HEDDLE_ORDERED_SCOPE(scope_device, "gpu")
HEDDLE_ORDERED_SCOPE(scope_block, "cta")
HEDDLE_ORDERED_SCOPE(scope_cluster, "cluster")

// Without a body: a byte has no atomic instruction, and other bytes of its word are not this object's.
extern "C" __attribute__((device)) unsigned char heddle_atomic_compare_exchange_of_byte(void *, unsigned char,
                                                                                       unsigned char);

template <class _T> struct Kind { static constexpr bool is_float = false, is_signed = false, is_number = false; };
#define HEDDLE_KIND(_T, floats, sign)                                                                                  \
  template <> struct Kind<_T> { static constexpr bool is_float = floats, is_signed = sign, is_number = true; };
HEDDLE_KIND(bool, false, false)
HEDDLE_KIND(char, false, true)
HEDDLE_KIND(signed char, false, true)
HEDDLE_KIND(unsigned char, false, false)
HEDDLE_KIND(short, false, true)
HEDDLE_KIND(unsigned short, false, false)
HEDDLE_KIND(int, false, true)
HEDDLE_KIND(unsigned int, false, false)
HEDDLE_KIND(long, false, true)
HEDDLE_KIND(unsigned long, false, false)
HEDDLE_KIND(long long, false, true)
HEDDLE_KIND(unsigned long long, false, false)
HEDDLE_KIND(float, true, true)
HEDDLE_KIND(double, true, true)
#undef HEDDLE_KIND

template <class _T> using Bits = typename Word<sizeof(_T)>::Type;

template <int _S> HEDDLE_DEVICE void fence(int order) {
  if constexpr (_S != scope_thread)
    Ptx<_S>::fence(order);
}
// A sequentially consistent operation is one after such a fence (PTX ISA, memory consistency model).
template <int _S> HEDDLE_DEVICE void before(int order) {
  if (order == __ATOMIC_SEQ_CST)
    fence<_S>(__ATOMIC_SEQ_CST);
}
template <int _S, class _T> HEDDLE_DEVICE _T load(const _T *p, int order) {
  if constexpr (_S == scope_thread) {
    return *p;
  } else {
    before<_S>(order);
    bool acquire = order != __ATOMIC_RELAXED;
    if constexpr (sizeof(_T) == 1)
      return __builtin_bit_cast(_T, (unsigned char)Ptx<_S>::load8(p, acquire));
    else if constexpr (sizeof(_T) == 2)
      return __builtin_bit_cast(_T, Ptx<_S>::load16(p, acquire));
    else if constexpr (sizeof(_T) == 4)
      return __builtin_bit_cast(_T, Ptx<_S>::load32(p, acquire));
    else
      return __builtin_bit_cast(_T, Ptx<_S>::load64(p, acquire));
  }
}
template <int _S, class _T> HEDDLE_DEVICE void store(_T *p, _T v, int order) {
  if constexpr (_S == scope_thread) {
    *p = v;
  } else {
    before<_S>(order);
    bool release = order == __ATOMIC_RELEASE;
    if constexpr (sizeof(_T) == 1)
      Ptx<_S>::store8(p, __builtin_bit_cast(unsigned char, v), release);
    else if constexpr (sizeof(_T) == 2)
      Ptx<_S>::store16(p, __builtin_bit_cast(unsigned short, v), release);
    else if constexpr (sizeof(_T) == 4)
      Ptx<_S>::store32(p, __builtin_bit_cast(unsigned int, v), release);
    else
      Ptx<_S>::store64(p, __builtin_bit_cast(unsigned long long, v), release);
  }
}
// The value that was there; `v` is stored if it was `expected`, bit by bit.
template <int _S, class _T> HEDDLE_DEVICE _T compare(_T *p, _T expected, _T v, int order) {
  if constexpr (_S == scope_thread) {
    _T old = *p;
    if (__builtin_bit_cast(Bits<_T>, old) == __builtin_bit_cast(Bits<_T>, expected))
      *p = v;
    return old;
  } else {
    before<_S>(order);
    Bits<_T> was = __builtin_bit_cast(Bits<_T>, expected), next = __builtin_bit_cast(Bits<_T>, v);
    if constexpr (sizeof(_T) == 1)
      return __builtin_bit_cast(_T, heddle_atomic_compare_exchange_of_byte(p, was, next));
    else if constexpr (sizeof(_T) == 2)
      return __builtin_bit_cast(_T, Ptx<_S>::cas16(p, was, next, order));
    else if constexpr (sizeof(_T) == 4)
      return __builtin_bit_cast(_T, Ptx<_S>::cas32(p, was, next, order));
    else
      return __builtin_bit_cast(_T, Ptx<_S>::cas64(p, was, next, order));
  }
}
// Any other change, by compare and swap; the value that was there.
template <int _S, class _T, class _F> HEDDLE_DEVICE _T change(_T *p, int order, _F next) {
  if constexpr (_S == scope_thread) {
    _T old = *p;
    *p = next(old);
    return old;
  } else {
    _T old = load<_S>(p, __ATOMIC_RELAXED);
    for (;;) {
      _T found = compare<_S>(p, old, (_T)next(old), order);
      if (__builtin_bit_cast(Bits<_T>, found) == __builtin_bit_cast(Bits<_T>, old))
        return old;
      old = found;
    }
  }
}
template <int _S, class _T> HEDDLE_DEVICE _T exchange(_T *p, _T v, int order) {
  if constexpr (_S == scope_thread || sizeof(_T) < 4) {
    return change<_S>(p, order, [v] __attribute__((device, always_inline, nodebug)) (_T) { return v; });
  } else {
    before<_S>(order);
    if constexpr (sizeof(_T) == 4)
      return __builtin_bit_cast(_T, Ptx<_S>::exch32(p, __builtin_bit_cast(unsigned int, v), order));
    else
      return __builtin_bit_cast(_T, Ptx<_S>::exch64(p, __builtin_bit_cast(unsigned long long, v), order));
  }
}
#define HEDDLE_ORDERED_FETCH(name, function, integers_as, floats, expression)                                          \
  template <int _S, class _T> HEDDLE_DEVICE _T name(_T *p, _T v, int order) {                                          \
    if constexpr (_S == scope_thread || sizeof(_T) < 4 || (Kind<_T>::is_float && !floats)) {                           \
      return change<_S>(p, order, [v] __attribute__((device, always_inline, nodebug)) (_T old) { return (_T)expression; }); \
    } else if constexpr (Kind<_T>::is_float) {                                                                         \
      before<_S>(order);                                                                                               \
      return Ptx<_S>::HEDDLE_ORDERED_FLOAT_##floats(function)(p, v, order);                                            \
    } else {                                                                                                           \
      before<_S>(order);                                                                                               \
      return (_T)Ptx<_S>::function(p, (integers_as)v, order);                                                          \
    }                                                                                                                  \
  }
#define HEDDLE_ORDERED_FLOAT_1(function) function
#define HEDDLE_ORDERED_FLOAT_0(function) add
HEDDLE_ORDERED_FETCH(fetch_add, add, Bits<_T>, 1, (old + v))
HEDDLE_ORDERED_FETCH(fetch_and, bit_and, Bits<_T>, 0, (old & v))
HEDDLE_ORDERED_FETCH(fetch_or, bit_or, Bits<_T>, 0, (old | v))
HEDDLE_ORDERED_FETCH(fetch_xor, bit_xor, Bits<_T>, 0, (old ^ v))
template <class _T, bool Signed = Kind<_T>::is_signed, int Size = sizeof(_T)> struct Number { typedef _T Type; };
template <class _T> struct Number<_T, true, 4> { typedef int Type; };
template <class _T> struct Number<_T, false, 4> { typedef unsigned int Type; };
template <class _T> struct Number<_T, true, 8> { typedef long long Type; };
template <class _T> struct Number<_T, false, 8> { typedef unsigned long long Type; };
HEDDLE_ORDERED_FETCH(fetch_min, minimum, typename Number<_T>::Type, 0, (v < old ? v : old))
HEDDLE_ORDERED_FETCH(fetch_max, maximum, typename Number<_T>::Type, 0, (old < v ? v : old))
template <int _S, class _T> HEDDLE_DEVICE _T fetch_sub(_T *p, _T v, int order) { return fetch_add<_S>(p, (_T)-v, order); }

} // namespace heddle_ordered
