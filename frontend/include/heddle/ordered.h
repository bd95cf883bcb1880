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
template <int S> struct Ptx;
#define HEDDLE_ORDERED_LOAD(s, bits, R, c)                                                                             \
  HEDDLE_STATIC R load##bits(const void *p, bool acquire) {                                                            \
    R v;                                                                                                               \
    if (acquire)                                                                                                       \
      asm volatile("ld.acquire." s ".b" #bits " %0, [%1];" : "=" c(v) : "l"(p) : "memory");                            \
    else                                                                                                               \
      asm volatile("ld.relaxed." s ".b" #bits " %0, [%1];" : "=" c(v) : "l"(p) : "memory");                            \
    return v;                                                                                                          \
  }                                                                                                                    \
  HEDDLE_STATIC void store##bits(void *p, R v, bool release) {                                                         \
    if (release)                                                                                                       \
      asm volatile("st.release." s ".b" #bits " [%0], %1;" ::"l"(p), c(v) : "memory");                                 \
    else                                                                                                               \
      asm volatile("st.relaxed." s ".b" #bits " [%0], %1;" ::"l"(p), c(v) : "memory");                                 \
  }
#define HEDDLE_ORDERED_ATOM(order, s, name, type, c)                                                                   \
  asm volatile("atom." order "." s "." name "." type " %0, [%1], %2;" : "=" c(old) : "l"(p), c(v) : "memory")
#define HEDDLE_ORDERED_RMW(s, function, name, type, R, c)                                                              \
  HEDDLE_STATIC R function(void *p, R v, int order) {                                                                  \
    R old;                                                                                                             \
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
#define HEDDLE_ORDERED_CAS(s, bits, R, c)                                                                              \
  HEDDLE_STATIC R cas##bits(void *p, R expected, R v, int order) {                                                     \
    R old;                                                                                                             \
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

template <class T> struct Kind { static constexpr bool is_float = false, is_signed = false, is_number = false; };
#define HEDDLE_KIND(T, floats, sign)                                                                                   \
  template <> struct Kind<T> { static constexpr bool is_float = floats, is_signed = sign, is_number = true; };
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

template <class T> using Bits = typename Word<sizeof(T)>::Type;

template <int S> HEDDLE_DEVICE void fence(int order) {
  if constexpr (S != scope_thread)
    Ptx<S>::fence(order);
}
// A sequentially consistent operation is one after such a fence (PTX ISA, memory consistency model).
template <int S> HEDDLE_DEVICE void before(int order) {
  if (order == __ATOMIC_SEQ_CST)
    fence<S>(__ATOMIC_SEQ_CST);
}
template <int S, class T> HEDDLE_DEVICE T load(const T *p, int order) {
  if constexpr (S == scope_thread) {
    return *p;
  } else {
    before<S>(order);
    bool acquire = order != __ATOMIC_RELAXED;
    if constexpr (sizeof(T) == 1)
      return __builtin_bit_cast(T, (unsigned char)Ptx<S>::load8(p, acquire));
    else if constexpr (sizeof(T) == 2)
      return __builtin_bit_cast(T, Ptx<S>::load16(p, acquire));
    else if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, Ptx<S>::load32(p, acquire));
    else
      return __builtin_bit_cast(T, Ptx<S>::load64(p, acquire));
  }
}
template <int S, class T> HEDDLE_DEVICE void store(T *p, T v, int order) {
  if constexpr (S == scope_thread) {
    *p = v;
  } else {
    before<S>(order);
    bool release = order == __ATOMIC_RELEASE;
    if constexpr (sizeof(T) == 1)
      Ptx<S>::store8(p, __builtin_bit_cast(unsigned char, v), release);
    else if constexpr (sizeof(T) == 2)
      Ptx<S>::store16(p, __builtin_bit_cast(unsigned short, v), release);
    else if constexpr (sizeof(T) == 4)
      Ptx<S>::store32(p, __builtin_bit_cast(unsigned int, v), release);
    else
      Ptx<S>::store64(p, __builtin_bit_cast(unsigned long long, v), release);
  }
}
// The value that was there; `v` is stored if it was `expected`, bit by bit.
template <int S, class T> HEDDLE_DEVICE T compare(T *p, T expected, T v, int order) {
  if constexpr (S == scope_thread) {
    T old = *p;
    if (__builtin_bit_cast(Bits<T>, old) == __builtin_bit_cast(Bits<T>, expected))
      *p = v;
    return old;
  } else {
    before<S>(order);
    Bits<T> was = __builtin_bit_cast(Bits<T>, expected), next = __builtin_bit_cast(Bits<T>, v);
    if constexpr (sizeof(T) == 1)
      return __builtin_bit_cast(T, heddle_atomic_compare_exchange_of_byte(p, was, next));
    else if constexpr (sizeof(T) == 2)
      return __builtin_bit_cast(T, Ptx<S>::cas16(p, was, next, order));
    else if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, Ptx<S>::cas32(p, was, next, order));
    else
      return __builtin_bit_cast(T, Ptx<S>::cas64(p, was, next, order));
  }
}
// Any other change, by compare and swap; the value that was there.
template <int S, class T, class F> HEDDLE_DEVICE T change(T *p, int order, F next) {
  if constexpr (S == scope_thread) {
    T old = *p;
    *p = next(old);
    return old;
  } else {
    T old = load<S>(p, __ATOMIC_RELAXED);
    for (;;) {
      T found = compare<S>(p, old, (T)next(old), order);
      if (__builtin_bit_cast(Bits<T>, found) == __builtin_bit_cast(Bits<T>, old))
        return old;
      old = found;
    }
  }
}
template <int S, class T> HEDDLE_DEVICE T exchange(T *p, T v, int order) {
  if constexpr (S == scope_thread || sizeof(T) < 4) {
    return change<S>(p, order, [v] __attribute__((device, always_inline, nodebug)) (T) { return v; });
  } else {
    before<S>(order);
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, Ptx<S>::exch32(p, __builtin_bit_cast(unsigned int, v), order));
    else
      return __builtin_bit_cast(T, Ptx<S>::exch64(p, __builtin_bit_cast(unsigned long long, v), order));
  }
}
#define HEDDLE_ORDERED_FETCH(name, function, integers_as, floats, expression)                                          \
  template <int S, class T> HEDDLE_DEVICE T name(T *p, T v, int order) {                                               \
    if constexpr (S == scope_thread || sizeof(T) < 4 || (Kind<T>::is_float && !floats)) {                              \
      return change<S>(p, order, [v] __attribute__((device, always_inline, nodebug)) (T old) { return (T)expression; }); \
    } else if constexpr (Kind<T>::is_float) {                                                                          \
      before<S>(order);                                                                                                \
      return Ptx<S>::HEDDLE_ORDERED_FLOAT_##floats(function)(p, v, order);                                             \
    } else {                                                                                                           \
      before<S>(order);                                                                                                \
      return (T)Ptx<S>::function(p, (integers_as)v, order);                                                            \
    }                                                                                                                  \
  }
#define HEDDLE_ORDERED_FLOAT_1(function) function
#define HEDDLE_ORDERED_FLOAT_0(function) add
HEDDLE_ORDERED_FETCH(fetch_add, add, Bits<T>, 1, (old + v))
HEDDLE_ORDERED_FETCH(fetch_and, bit_and, Bits<T>, 0, (old & v))
HEDDLE_ORDERED_FETCH(fetch_or, bit_or, Bits<T>, 0, (old | v))
HEDDLE_ORDERED_FETCH(fetch_xor, bit_xor, Bits<T>, 0, (old ^ v))
template <class T, bool Signed = Kind<T>::is_signed, int Size = sizeof(T)> struct Number { typedef T Type; };
template <class T> struct Number<T, true, 4> { typedef int Type; };
template <class T> struct Number<T, false, 4> { typedef unsigned int Type; };
template <class T> struct Number<T, true, 8> { typedef long long Type; };
template <class T> struct Number<T, false, 8> { typedef unsigned long long Type; };
HEDDLE_ORDERED_FETCH(fetch_min, minimum, typename Number<T>::Type, 0, (v < old ? v : old))
HEDDLE_ORDERED_FETCH(fetch_max, maximum, typename Number<T>::Type, 0, (old < v ? v : old))
template <int S, class T> HEDDLE_DEVICE T fetch_sub(T *p, T v, int order) { return fetch_add<S>(p, (T)-v, order); }

} // namespace heddle_ordered
