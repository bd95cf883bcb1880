// Thrust, as far as host code has to parse: containers and algorithms are declarations, what device code computes with
// (complex numbers, tuples, iterators, functions as objects) is defined. Kernels of Thrust's own are not here to check.
#pragma once
#include "cuda_std.h"
#include "thrust_iterators.h"
#include "thrust_numbers.h"
#include <functional>
#include <initializer_list>
#include <vector>

#define THRUST_VERSION 200800
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 8
#define THRUST_NS_QUALIFIER ::thrust

namespace thrust {
// Where an algorithm runs. Which one it is says nothing to whoever only parses the call.
template <class Derived> struct execution_policy {};
struct heddle_policy : execution_policy<heddle_policy> {
  heddle_policy on(cudaStream_t) const;
  template <class Allocator> heddle_policy operator()(Allocator &&) const;
};
inline constexpr heddle_policy heddle_anywhere{};
// The calling thread. In device code many algorithms are loops with it (`thrust_sequential.h`).
struct heddle_sequential : execution_policy<heddle_sequential> {
  template <class Allocator> heddle_policy operator()(Allocator &&) const;
};
HEDDLE_ANYWHERE constexpr heddle_sequential seq{};
HEDDLE_ANYWHERE constexpr heddle_policy device{}, host{};
namespace cuda {
template <class Derived> using execution_policy = thrust::execution_policy<Derived>;
HEDDLE_ANYWHERE constexpr heddle_policy par{}, par_nosync{};
using tag = heddle_policy;
} // namespace cuda
namespace cuda_cub {
using thrust::cuda::par;
}
namespace system {
namespace cuda {
using thrust::cuda::par;
}
class system_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
} // namespace system
using system::system_error;
using device_system_tag = heddle_policy;
using any_system_tag = heddle_policy;
using host_system_tag = heddle_policy;

template <class _T> struct device_reference {
  device_reference &operator=(const _T &);
  device_reference &operator=(const device_reference &);
  template <class _U> device_reference &operator=(const device_reference<_U> &);
  operator _T() const;
  device_ptr<_T> operator&() const;
  device_reference &operator+=(const _T &);
  device_reference &operator-=(const _T &);
  device_reference &operator++();
};

// Containers. Their memory is of the device, or of the host; host code sees its size.
template <class _T, class Iterator, class Reference> class heddle_vector {
public:
  typedef _T value_type;
  typedef Iterator iterator;
  typedef Iterator const_iterator;
  typedef Iterator pointer;
  typedef Reference reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  heddle_vector();
  explicit heddle_vector(size_t);
  heddle_vector(size_t, const _T &);
  heddle_vector(const heddle_vector &);
  template <class _U, class _I, class _R> heddle_vector(const heddle_vector<_U, _I, _R> &);
  template <class _U, class _A> heddle_vector(const std::vector<_U, _A> &);
  template <class _I, class = typename std::iterator_traits<_I>::value_type> heddle_vector(_I, _I);
  heddle_vector(std::initializer_list<_T>);
  ~heddle_vector();
  heddle_vector &operator=(const heddle_vector &);
  template <class _U, class _I, class _R> heddle_vector &operator=(const heddle_vector<_U, _I, _R> &);
  template <class _U, class _A> heddle_vector &operator=(const std::vector<_U, _A> &);
  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  const_iterator cbegin() const;
  const_iterator cend() const;
  std::reverse_iterator<iterator> rbegin();
  std::reverse_iterator<iterator> rend();
  Reference operator[](size_t);
  const Reference operator[](size_t) const;
  Reference front();
  Reference back();
  pointer data();
  pointer data() const;
  size_t size() const;
  size_t capacity() const;
  bool empty() const;
  void resize(size_t);
  void resize(size_t, const _T &);
  void reserve(size_t);
  void clear();
  void shrink_to_fit();
  void push_back(const _T &);
  void pop_back();
  void assign(size_t, const _T &);
  template <class _I, class = typename std::iterator_traits<_I>::value_type> void assign(_I, _I);
  iterator erase(iterator);
  iterator erase(iterator, iterator);
  iterator insert(iterator, const _T &);
  template <class _I> void insert(iterator, _I, _I);
  void swap(heddle_vector &);
};
template <class _T, class Allocator = void>
class device_vector : public heddle_vector<_T, device_ptr<_T>, device_reference<_T>> {
public:
  using heddle_vector<_T, device_ptr<_T>, device_reference<_T>>::heddle_vector;
  using heddle_vector<_T, device_ptr<_T>, device_reference<_T>>::operator=;
};
template <class _T, class Allocator = void> class host_vector : public heddle_vector<_T, _T *, _T &> {
public:
  using heddle_vector<_T, _T *, _T &>::heddle_vector;
  using heddle_vector<_T, _T *, _T &>::operator=;
};
template <class _T, class Allocator = void> using universal_vector = host_vector<_T>;
template <class _T, class _I, class _R> bool operator==(const heddle_vector<_T, _I, _R> &, const heddle_vector<_T, _I, _R> &);
template <class _T, class _I, class _R> bool operator!=(const heddle_vector<_T, _I, _R> &, const heddle_vector<_T, _I, _R> &);

template <class _T> device_ptr<_T> device_malloc(size_t);
device_ptr<void> device_malloc(size_t);
template <class _T> void device_free(device_ptr<_T>);
template <class _T> device_ptr<_T> device_new(size_t);
template <class _T> struct device_allocator {
  typedef _T value_type;
  typedef device_ptr<_T> pointer;
  typedef device_ptr<const _T> const_pointer;
  typedef device_reference<_T> reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  template <class _U> struct rebind { typedef device_allocator<_U> other; };
  pointer allocate(size_t);
  void deallocate(pointer, size_t);
};
template <class _T> struct device_malloc_allocator : device_allocator<_T> {
  template <class _U> struct rebind { typedef device_malloc_allocator<_U> other; };
};

// Algorithms, each with and without a policy in front. What they do with what they are given is not here to see; types
// of lambdas must not be those of functions without a body.
extern "C" __attribute__((host, device)) void *heddle_algorithm(const void *const *given);
template <class _R, class... Args> HEDDLE_BOTH _R heddle_some(const Args &...args) {
  const void *given[] = {(const void *)__builtin_addressof(args)...};
  void *result = heddle_algorithm(given);
  if constexpr (!std::is_void_v<_R>)
    return *(_R *)result;
}
// A place of a range: one of its elements, or its end where it has none, or where `_end` is among what is found.
template <bool _end, class _I, class... _T>
HEDDLE_METHOD auto heddle_place(int, _I first, _I last, const _T &...given) -> decltype(_I(first + (last - first))) {
  // Copies: what is given may be set by who looks for it.
  _I from = first, to = last;
  ptrdiff_t size = last - first, at = heddle_some<ptrdiff_t>(from, to, given...);
  // Each by itself, so that it is a branch on the way to a launch.
  ptrdiff_t behind = _end ? size + 1 : size > 1 ? size : 1;
#ifdef __CUDA_ARCH__
  __builtin_assume(at >= 0 && at < behind);
#else
  if (at < 0)
    __builtin_trap();
  if (at >= behind)
    __builtin_trap();
#endif
  return first + at;
}
template <bool _end, class _I, class... _T> HEDDLE_METHOD _I heddle_place(long, _I first, _I last, const _T &...given) {
  return heddle_some<_I>(first, last, given...);
}
#define HEDDLE_VALUE(_I) typename std::iterator_traits<_I>::value_type
#define HEDDLE_ALGORITHM(_R, name, types, given, ...)                                                                  \
  template <HEDDLE_ALL types> HEDDLE_METHOD _R name(__VA_ARGS__) { return heddle_some<_R>(HEDDLE_ALL given); }         \
  template <class _P, HEDDLE_ALL types> HEDDLE_METHOD _R name(const execution_policy<_P> &, __VA_ARGS__) {             \
    return heddle_some<_R>(HEDDLE_ALL given);                                                                          \
  }
#define HEDDLE_PLACE(name, end, types, given, ...)                                                                     \
  template <HEDDLE_ALL types> HEDDLE_METHOD _I name(__VA_ARGS__) { return heddle_place<end>(0, HEDDLE_ALL given); }    \
  template <class _P, HEDDLE_ALL types> HEDDLE_METHOD _I name(const execution_policy<_P> &, __VA_ARGS__) {             \
    return heddle_place<end>(0, HEDDLE_ALL given);                                                                     \
  }
#define HEDDLE_ALL(...) __VA_ARGS__
HEDDLE_ALGORITHM(void, fill, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_ALGORITHM(_I, fill_n, (class _I, class _N, class _T), (a0, a1, a2), _I a0, _N a1, const _T &a2)
HEDDLE_ALGORITHM(void, sequence, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(void, sequence, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, _T a2)
HEDDLE_ALGORITHM(void, sequence, (class _I, class _T), (a0, a1, a2, a3), _I a0, _I a1, _T a2, _T a3)
HEDDLE_ALGORITHM(void, generate, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(void, tabulate, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_O, copy, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
HEDDLE_ALGORITHM(_O, copy_n, (class _I, class _N, class _O), (a0, a1, a2), _I a0, _N a1, _O a2)
HEDDLE_ALGORITHM(_O, copy_if, (class _I, class _O, class _F), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _F a3)
HEDDLE_ALGORITHM(_O, copy_if, (class _I, class _S, class _O, class _F), (a0, a1, a2, a3, a4), _I a0, _I a1, _S a2, _O a3, _F a4)
HEDDLE_ALGORITHM(_O, gather, (class _I, class _J, class _O), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _O a3)
HEDDLE_ALGORITHM(void, scatter, (class _I, class _J, class _O), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _O a3)
HEDDLE_ALGORITHM(_I, for_each, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_I, for_each_n, (class _I, class _N, class _F), (a0, a1, a2), _I a0, _N a1, _F a2)
HEDDLE_ALGORITHM(_O, transform, (class _I, class _O, class _F), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _F a3)
HEDDLE_ALGORITHM(_O, transform, (class _I, class _J, class _O, class _F), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _O a3,
                 _F a4)
HEDDLE_ALGORITHM(_O, transform_if, (class _I, class _O, class _F, class _G), (a0, a1, a2, a3, a4), _I a0, _I a1, _O a2, _F a3,
                 _G a4)
HEDDLE_ALGORITHM(void, replace, (class _I, class _T), (a0, a1, a2, a3), _I a0, _I a1, const _T &a2, const _T &a3)
HEDDLE_ALGORITHM(void, replace_if, (class _I, class _F, class _T), (a0, a1, a2, a3), _I a0, _I a1, _F a2, const _T &a3)
HEDDLE_ALGORITHM(void, reverse, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(void, shuffle, (class _I, class _G), (a0, a1, a2), _I a0, _I a1, _G &&a2)
HEDDLE_ALGORITHM(_J, swap_ranges, (class _I, class _J), (a0, a1, a2), _I a0, _I a1, _J a2)
HEDDLE_ALGORITHM(HEDDLE_VALUE(_I), reduce, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(_T, reduce, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, _T a2)
HEDDLE_ALGORITHM(_T, reduce, (class _I, class _T, class _F), (a0, a1, a2, a3), _I a0, _I a1, _T a2, _F a3)
HEDDLE_ALGORITHM(_T, transform_reduce, (class _I, class _F, class _T, class _G), (a0, a1, a2, a3, a4), _I a0, _I a1, _F a2,
                 _T a3, _G a4)
HEDDLE_ALGORITHM(_T, inner_product, (class _I, class _J, class _T), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _T a3)
HEDDLE_ALGORITHM(_T, inner_product, (class _I, class _J, class _T, class _F, class _G), (a0, a1, a2, a3, a4, a5), _I a0,
                 _I a1, _J a2, _T a3, _F a4, _G a5)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_O, _Q), reduce_by_key, (class _I, class _J, class _O, class _Q), (a0, a1, a2, a3, a4), _I a0,
                 _I a1, _J a2, _O a3, _Q a4)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_O, _Q), reduce_by_key, (class _I, class _J, class _O, class _Q, class _F), (a0, a1, a2, a3,
                 a4, a5), _I a0, _I a1, _J a2, _O a3, _Q a4, _F a5)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_O, _Q), reduce_by_key, (class _I, class _J, class _O, class _Q, class _F, class _G), (a0, a1,
                 a2, a3, a4, a5, a6), _I a0, _I a1, _J a2, _O a3, _Q a4, _F a5, _G a6)
HEDDLE_ALGORITHM(_O, inclusive_scan, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
HEDDLE_ALGORITHM(_O, inclusive_scan, (class _I, class _O, class _F), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _F a3)
HEDDLE_ALGORITHM(_O, exclusive_scan, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
HEDDLE_ALGORITHM(_O, exclusive_scan, (class _I, class _O, class _T), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _T a3)
HEDDLE_ALGORITHM(_O, exclusive_scan, (class _I, class _O, class _T, class _F), (a0, a1, a2, a3, a4), _I a0, _I a1, _O a2,
                 _T a3, _F a4)
HEDDLE_ALGORITHM(_O, transform_inclusive_scan, (class _I, class _O, class _F, class _G), (a0, a1, a2, a3, a4), _I a0, _I a1,
                 _O a2, _F a3, _G a4)
HEDDLE_ALGORITHM(_O, transform_exclusive_scan, (class _I, class _O, class _F, class _T, class _G), (a0, a1, a2, a3, a4,
                 a5), _I a0, _I a1, _O a2, _F a3, _T a4, _G a5)
HEDDLE_ALGORITHM(_O, inclusive_scan_by_key, (class _I, class _J, class _O), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _O a3)
HEDDLE_ALGORITHM(_O, inclusive_scan_by_key, (class _I, class _J, class _O, class _F), (a0, a1, a2, a3, a4), _I a0, _I a1,
                 _J a2, _O a3, _F a4)
HEDDLE_ALGORITHM(_O, inclusive_scan_by_key, (class _I, class _J, class _O, class _F, class _G), (a0, a1, a2, a3, a4, a5),
                 _I a0, _I a1, _J a2, _O a3, _F a4, _G a5)
HEDDLE_ALGORITHM(_O, exclusive_scan_by_key, (class _I, class _J, class _O), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _O a3)
HEDDLE_ALGORITHM(_O, exclusive_scan_by_key, (class _I, class _J, class _O, class _T), (a0, a1, a2, a3, a4), _I a0, _I a1,
                 _J a2, _O a3, _T a4)
HEDDLE_ALGORITHM(_O, adjacent_difference, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
HEDDLE_ALGORITHM(_O, adjacent_difference, (class _I, class _O, class _F), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _F a3)
HEDDLE_ALGORITHM(void, sort, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(void, sort, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(void, stable_sort, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(void, stable_sort, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(void, sort_by_key, (class _I, class _J), (a0, a1, a2), _I a0, _I a1, _J a2)
HEDDLE_ALGORITHM(void, sort_by_key, (class _I, class _J, class _F), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _F a3)
HEDDLE_ALGORITHM(void, stable_sort_by_key, (class _I, class _J), (a0, a1, a2), _I a0, _I a1, _J a2)
HEDDLE_ALGORITHM(void, stable_sort_by_key, (class _I, class _J, class _F), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _F a3)
HEDDLE_ALGORITHM(bool, is_sorted, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(bool, is_sorted, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_I, remove, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_ALGORITHM(_I, remove_if, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_I, remove_if, (class _I, class _S, class _F), (a0, a1, a2, a3), _I a0, _I a1, _S a2, _F a3)
HEDDLE_ALGORITHM(_O, remove_copy, (class _I, class _O, class _T), (a0, a1, a2, a3), _I a0, _I a1, _O a2, const _T &a3)
HEDDLE_ALGORITHM(_O, remove_copy_if, (class _I, class _O, class _F), (a0, a1, a2, a3), _I a0, _I a1, _O a2, _F a3)
HEDDLE_ALGORITHM(_I, partition, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_I, stable_partition, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_I, unique, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(_I, unique, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(_O, unique_copy, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_I, _J), unique_by_key, (class _I, class _J), (a0, a1, a2), _I a0, _I a1, _J a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_I, _J), unique_by_key, (class _I, class _J, class _F), (a0, a1, a2, a3), _I a0, _I a1, _J a2,
                 _F a3)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_O, _Q), unique_by_key_copy, (class _I, class _J, class _O, class _Q), (a0, a1, a2, a3, a4),
                 _I a0, _I a1, _J a2, _O a3, _Q a4)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_O, _Q), merge_by_key, (class _I, class _J, class _K, class _L, class _O, class _Q), (a0, a1,
                 a2, a3, a4, a5, a6, a7), _I a0, _I a1, _J a2, _J a3, _K a4, _L a5, _O a6, _Q a7)
HEDDLE_ALGORITHM(_O, merge, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_ALGORITHM(_O, set_union, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_ALGORITHM(_O, set_intersection, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_ALGORITHM(_O, set_difference, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_PLACE(max_element, false, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_PLACE(max_element, false, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_PLACE(min_element, false, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_PLACE(min_element, false, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_I, _I), minmax_element, (class _I), (a0, a1), _I a0, _I a1)
HEDDLE_ALGORITHM(HEDDLE_PAIR(_I, _I), minmax_element, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(ptrdiff_t, count, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_ALGORITHM(ptrdiff_t, count_if, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_PLACE(find, true, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_PLACE(find_if, true, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_PLACE(find_if_not, true, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(bool, all_of, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(bool, any_of, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(bool, none_of, (class _I, class _F), (a0, a1, a2), _I a0, _I a1, _F a2)
HEDDLE_ALGORITHM(bool, equal, (class _I, class _J), (a0, a1, a2), _I a0, _I a1, _J a2)
HEDDLE_ALGORITHM(bool, equal, (class _I, class _J, class _F), (a0, a1, a2, a3), _I a0, _I a1, _J a2, _F a3)
HEDDLE_ALGORITHM(bool, binary_search, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_PLACE(lower_bound, true, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_PLACE(upper_bound, true, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_ALGORITHM(_O, lower_bound, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_ALGORITHM(_O, upper_bound, (class _I, class _J, class _O), (a0, a1, a2, a3, a4), _I a0, _I a1, _J a2, _J a3, _O a4)
HEDDLE_ALGORITHM(void, uninitialized_fill, (class _I, class _T), (a0, a1, a2), _I a0, _I a1, const _T &a2)
HEDDLE_ALGORITHM(_O, uninitialized_copy, (class _I, class _O), (a0, a1, a2), _I a0, _I a1, _O a2)
#undef HEDDLE_ALGORITHM
#undef HEDDLE_PLACE
} // namespace thrust
#include "thrust_sequential.h"
#undef HEDDLE_ALL
#undef HEDDLE_VALUE
