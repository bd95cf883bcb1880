// Annotations that Heddle reads, for CUDA and OpenCL. They change no program: clang keeps them as remarks on the kernel, and
// for other compilers they are empty. `heddle check` finds this header by itself; other builds get it by
// `heddle header > heddle.h`.
//
//   HEDDLE_LAUNCH(64, 256) HEDDLE_ASSUME(n % 16 == 0)
//   __global__ void k(int *out, int n) {
//     HEDDLE_BENIGN("each thread stores 1") found = 1;
//   }
//
// Contracts stand inside of functions, and their conditions are code:
//
//   heddle_requires(n % 16 == 0);        at the head of a kernel: each launch keeps it
//   heddle_assert(i < n);                each thread that comes here keeps it
//   heddle_invariant(0 <= i && i <= n);  in the body of a loop: so in each iteration
//
// Their conditions are evaluated by `heddle check` alone, and may change nothing.
//
// What arrays of integers hold when each launch begins is said at the head of a kernel, too:
//
//   heddle_injective(perm, n);      no two of perm[0] to perm[n - 1] are the same number
//   heddle_range(idx, n, 0, m);     0 <= idx[i] && idx[i] < m, for each i from 0 to n - 1
//   heddle_sorted(rows, n + 1);     rows[i] <= rows[i + 1], for each i from 0 to n - 1
//   heddle_ascending(keys, n);      keys[i] < keys[i + 1], for each i from 0 to n - 2
//
// What the command line or heddle.toml says counts more than HEDDLE_LAUNCH, HEDDLE_GRID and HEDDLE_BLOCK. Conditions of
// HEDDLE_ASSUME are in the language of `--assume`, and proofs name them.
#ifndef HEDDLE_H
#define HEDDLE_H

#if defined(__clang__) && defined(__has_attribute)
#if __has_attribute(annotate)
#define HEDDLE_ANNOTATE(...) __attribute__((annotate(__VA_ARGS__)))
#endif
#endif
#ifndef HEDDLE_ANNOTATE
#define HEDDLE_ANNOTATE(...)
#endif

#define HEDDLE_TEXT_OF(...) #__VA_ARGS__

// The number of blocks and of threads in a block, in one dimension.
#define HEDDLE_LAUNCH(grid, block) HEDDLE_GRID(grid) HEDDLE_BLOCK(block)
// The same in up to three dimensions: HEDDLE_BLOCK(16, 16).
#define HEDDLE_GRID(...) HEDDLE_ANNOTATE("heddle.grid", __VA_ARGS__)
#define HEDDLE_BLOCK(...) HEDDLE_ANNOTATE("heddle.block", __VA_ARGS__)
// A condition on parameters, blockDim and gridDim that each launch satisfies.
#define HEDDLE_ASSUME(...) HEDDLE_ANNOTATE("heddle.assume", HEDDLE_TEXT_OF(__VA_ARGS__))
// Before an access, or on a line of its own before it: races there are meant, for this reason.
#define HEDDLE_BENIGN(reason)

#if !defined(__HEDDLE_CONTRACTS__) || defined(__HEDDLE_NO_CONTRACTS__)
#define HEDDLE_CLAIM(kind, ...) ((void)0)
#elif defined(__CUDA_ARCH__)
extern "C" __attribute__((device)) void __heddle_contract(void);
extern "C" __attribute__((device)) void __heddle_claim(int kind, bool holds, const char *text);
extern "C" __attribute__((device, const)) bool __heddle_array(int rule, unsigned long long at, long long count,
                                                              long long low, long long high, int element);
#define HEDDLE_CLAIM(kind, ...)                                                                                        \
  (__heddle_contract(), __heddle_claim(kind, static_cast<bool>(__VA_ARGS__), HEDDLE_TEXT_OF(__VA_ARGS__)))
#elif defined(__OPENCL_C_VERSION__)
void __heddle_contract(void);
void __heddle_claim(int kind, bool holds, __constant const char *text);
__attribute__((const)) bool __heddle_array(int rule, ulong at, long count, long low, long high, int element);
#define HEDDLE_CLAIM(kind, ...)                                                                                        \
  (__heddle_contract(), __heddle_claim(kind, (bool)(__VA_ARGS__), HEDDLE_TEXT_OF(__VA_ARGS__)))
#else
#define HEDDLE_CLAIM(kind, ...) ((void)0)
#endif

// Of an element: its bytes, negative where it has a sign, zero where it is no integer.
#define HEDDLE_ELEMENT(type) ((type)0.5 != 0 ? 0 : (type)-1 < (type)0 ? -(int)sizeof(type) : (int)sizeof(type))
#if !defined(__HEDDLE_CONTRACTS__) || defined(__HEDDLE_NO_CONTRACTS__)
#define HEDDLE_ARRAY(rule, array, count, low, high, ...) ((void)0)
#elif defined(__CUDA_ARCH__)
#define HEDDLE_ARRAY(rule, array, count, low, high, ...)                                                               \
  (__heddle_contract(),                                                                                                \
   __heddle_claim(0,                                                                                                   \
                  __heddle_array(rule, (unsigned long long)&(array)[0], (long long)(count), (long long)(low),          \
                                 (long long)(high), HEDDLE_ELEMENT(__heddle_element<decltype((array)[0])>::type)),     \
                  HEDDLE_TEXT_OF(__VA_ARGS__)))
template <typename _T> struct __heddle_element { typedef _T type; };
template <typename _T> struct __heddle_element<_T &> { typedef typename __heddle_element<_T>::type type; };
template <typename _T> struct __heddle_element<const _T> { typedef typename __heddle_element<_T>::type type; };
template <typename _T> struct __heddle_element<volatile _T> { typedef typename __heddle_element<_T>::type type; };
template <typename _T> struct __heddle_element<const volatile _T> { typedef _T type; };
#elif defined(__OPENCL_C_VERSION__)
#define HEDDLE_ARRAY(rule, array, count, low, high, ...)                                                               \
  (__heddle_contract(),                                                                                                \
   __heddle_claim(0,                                                                                                   \
                  __heddle_array(rule, (ulong)&(array)[0], (long)(count), (long)(low), (long)(high),                   \
                                 HEDDLE_ELEMENT(__typeof__((array)[0]))),                                              \
                  HEDDLE_TEXT_OF(__VA_ARGS__)))
#else
#define HEDDLE_ARRAY(rule, array, count, low, high, ...) ((void)0)
#endif

// A condition on parameters and sizes, at the head of a kernel, that each launch satisfies.
#define heddle_requires(...) HEDDLE_CLAIM(0, __VA_ARGS__)
// What an array of integers holds when each launch begins, at the head of a kernel.
#define heddle_injective(array, count) HEDDLE_ARRAY(0, array, count, 0, 0, injective(array, count))
#define heddle_range(array, count, low, high) HEDDLE_ARRAY(1, array, count, low, high, range(array, count, low, high))
#define heddle_sorted(array, count) HEDDLE_ARRAY(2, array, count, 0, 0, sorted(array, count))
#define heddle_ascending(array, count) HEDDLE_ARRAY(3, array, count, 0, 0, ascending(array, count))
// A condition that each thread that comes here satisfies.
#define heddle_assert(...) HEDDLE_CLAIM(1, __VA_ARGS__)
// A condition that each thread that comes here satisfies, in each iteration of the loop around.
#define heddle_invariant(...) HEDDLE_CLAIM(2, __VA_ARGS__)

#endif
