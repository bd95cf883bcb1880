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
HEDDLE_ANYWHERE constexpr heddle_policy seq{}, device{}, host{};
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
using host_system_tag = heddle_policy;

template <class T> struct device_reference {
  device_reference &operator=(const T &);
  device_reference &operator=(const device_reference &);
  template <class U> device_reference &operator=(const device_reference<U> &);
  operator T() const;
  device_ptr<T> operator&() const;
  device_reference &operator+=(const T &);
  device_reference &operator-=(const T &);
  device_reference &operator++();
};

// Containers. Their memory is of the device, or of the host; host code sees its size.
template <class T, class Iterator, class Reference> class heddle_vector {
public:
  typedef T value_type;
  typedef Iterator iterator;
  typedef Iterator const_iterator;
  typedef Iterator pointer;
  typedef Reference reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  heddle_vector();
  explicit heddle_vector(size_t);
  heddle_vector(size_t, const T &);
  heddle_vector(const heddle_vector &);
  template <class U, class I, class R> heddle_vector(const heddle_vector<U, I, R> &);
  template <class U, class A> heddle_vector(const std::vector<U, A> &);
  template <class I, class = typename std::iterator_traits<I>::value_type> heddle_vector(I, I);
  heddle_vector(std::initializer_list<T>);
  ~heddle_vector();
  heddle_vector &operator=(const heddle_vector &);
  template <class U, class I, class R> heddle_vector &operator=(const heddle_vector<U, I, R> &);
  template <class U, class A> heddle_vector &operator=(const std::vector<U, A> &);
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
  void resize(size_t, const T &);
  void reserve(size_t);
  void clear();
  void shrink_to_fit();
  void push_back(const T &);
  void pop_back();
  void assign(size_t, const T &);
  template <class I, class = typename std::iterator_traits<I>::value_type> void assign(I, I);
  iterator erase(iterator);
  iterator erase(iterator, iterator);
  iterator insert(iterator, const T &);
  template <class I> void insert(iterator, I, I);
  void swap(heddle_vector &);
};
template <class T, class Allocator = void>
class device_vector : public heddle_vector<T, device_ptr<T>, device_reference<T>> {
public:
  using heddle_vector<T, device_ptr<T>, device_reference<T>>::heddle_vector;
  using heddle_vector<T, device_ptr<T>, device_reference<T>>::operator=;
};
template <class T, class Allocator = void> class host_vector : public heddle_vector<T, T *, T &> {
public:
  using heddle_vector<T, T *, T &>::heddle_vector;
  using heddle_vector<T, T *, T &>::operator=;
};
template <class T, class Allocator = void> using universal_vector = host_vector<T>;
template <class T, class I, class R> bool operator==(const heddle_vector<T, I, R> &, const heddle_vector<T, I, R> &);
template <class T, class I, class R> bool operator!=(const heddle_vector<T, I, R> &, const heddle_vector<T, I, R> &);

template <class T> device_ptr<T> device_malloc(size_t);
device_ptr<void> device_malloc(size_t);
template <class T> void device_free(device_ptr<T>);
template <class T> device_ptr<T> device_new(size_t);
template <class T> struct device_allocator {
  typedef T value_type;
};

// Algorithms, each with and without a policy in front. What they do with what they are given is not here to see; types
// of lambdas must not be those of functions without a body.
extern "C" __attribute__((host, device)) void *heddle_algorithm(const void *const *given);
template <class R, class... Args> HEDDLE_BOTH R heddle_some(const Args &...args) {
  const void *given[] = {(const void *)__builtin_addressof(args)...};
  void *result = heddle_algorithm(given);
  if constexpr (!std::is_void_v<R>)
    return *(R *)result;
}
#define HEDDLE_VALUE(I) typename std::iterator_traits<I>::value_type
#define HEDDLE_ALGORITHM(R, name, types, given, ...)                                                                   \
  template <HEDDLE_ALL types> HEDDLE_METHOD R name(__VA_ARGS__) { return heddle_some<R>(HEDDLE_ALL given); }           \
  template <class P, HEDDLE_ALL types> HEDDLE_METHOD R name(const execution_policy<P> &, __VA_ARGS__) {                \
    return heddle_some<R>(HEDDLE_ALL given);                                                                           \
  }
#define HEDDLE_ALL(...) __VA_ARGS__
HEDDLE_ALGORITHM(void, fill, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(I, fill_n, (class I, class N, class T), (a0, a1, a2), I a0, N a1, const T &a2)
HEDDLE_ALGORITHM(void, sequence, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(void, sequence, (class I, class T), (a0, a1, a2), I a0, I a1, T a2)
HEDDLE_ALGORITHM(void, sequence, (class I, class T), (a0, a1, a2, a3), I a0, I a1, T a2, T a3)
HEDDLE_ALGORITHM(void, generate, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(void, tabulate, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(O, copy, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
HEDDLE_ALGORITHM(O, copy_n, (class I, class N, class O), (a0, a1, a2), I a0, N a1, O a2)
HEDDLE_ALGORITHM(O, copy_if, (class I, class O, class F), (a0, a1, a2, a3), I a0, I a1, O a2, F a3)
HEDDLE_ALGORITHM(O, copy_if, (class I, class S, class O, class F), (a0, a1, a2, a3, a4), I a0, I a1, S a2, O a3, F a4)
HEDDLE_ALGORITHM(O, gather, (class I, class J, class O), (a0, a1, a2, a3), I a0, I a1, J a2, O a3)
HEDDLE_ALGORITHM(void, scatter, (class I, class J, class O), (a0, a1, a2, a3), I a0, I a1, J a2, O a3)
HEDDLE_ALGORITHM(I, for_each, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, for_each_n, (class I, class N, class F), (a0, a1, a2), I a0, N a1, F a2)
HEDDLE_ALGORITHM(O, transform, (class I, class O, class F), (a0, a1, a2, a3), I a0, I a1, O a2, F a3)
HEDDLE_ALGORITHM(O, transform, (class I, class J, class O, class F), (a0, a1, a2, a3, a4), I a0, I a1, J a2, O a3,
                 F a4)
HEDDLE_ALGORITHM(O, transform_if, (class I, class O, class F, class G), (a0, a1, a2, a3, a4), I a0, I a1, O a2, F a3,
                 G a4)
HEDDLE_ALGORITHM(void, replace, (class I, class T), (a0, a1, a2, a3), I a0, I a1, const T &a2, const T &a3)
HEDDLE_ALGORITHM(void, replace_if, (class I, class F, class T), (a0, a1, a2, a3), I a0, I a1, F a2, const T &a3)
HEDDLE_ALGORITHM(void, reverse, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(void, shuffle, (class I, class G), (a0, a1, a2), I a0, I a1, G &&a2)
HEDDLE_ALGORITHM(J, swap_ranges, (class I, class J), (a0, a1, a2), I a0, I a1, J a2)
HEDDLE_ALGORITHM(HEDDLE_VALUE(I), reduce, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(T, reduce, (class I, class T), (a0, a1, a2), I a0, I a1, T a2)
HEDDLE_ALGORITHM(T, reduce, (class I, class T, class F), (a0, a1, a2, a3), I a0, I a1, T a2, F a3)
HEDDLE_ALGORITHM(T, transform_reduce, (class I, class F, class T, class G), (a0, a1, a2, a3, a4), I a0, I a1, F a2,
                 T a3, G a4)
HEDDLE_ALGORITHM(T, inner_product, (class I, class J, class T), (a0, a1, a2, a3), I a0, I a1, J a2, T a3)
HEDDLE_ALGORITHM(T, inner_product, (class I, class J, class T, class F, class G), (a0, a1, a2, a3, a4, a5), I a0,
                 I a1, J a2, T a3, F a4, G a5)
HEDDLE_ALGORITHM(HEDDLE_PAIR(O, Q), reduce_by_key, (class I, class J, class O, class Q), (a0, a1, a2, a3, a4), I a0,
                 I a1, J a2, O a3, Q a4)
HEDDLE_ALGORITHM(HEDDLE_PAIR(O, Q), reduce_by_key, (class I, class J, class O, class Q, class F), (a0, a1, a2, a3,
                 a4, a5), I a0, I a1, J a2, O a3, Q a4, F a5)
HEDDLE_ALGORITHM(HEDDLE_PAIR(O, Q), reduce_by_key, (class I, class J, class O, class Q, class F, class G), (a0, a1,
                 a2, a3, a4, a5, a6), I a0, I a1, J a2, O a3, Q a4, F a5, G a6)
HEDDLE_ALGORITHM(O, inclusive_scan, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
HEDDLE_ALGORITHM(O, inclusive_scan, (class I, class O, class F), (a0, a1, a2, a3), I a0, I a1, O a2, F a3)
HEDDLE_ALGORITHM(O, exclusive_scan, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
HEDDLE_ALGORITHM(O, exclusive_scan, (class I, class O, class T), (a0, a1, a2, a3), I a0, I a1, O a2, T a3)
HEDDLE_ALGORITHM(O, exclusive_scan, (class I, class O, class T, class F), (a0, a1, a2, a3, a4), I a0, I a1, O a2,
                 T a3, F a4)
HEDDLE_ALGORITHM(O, transform_inclusive_scan, (class I, class O, class F, class G), (a0, a1, a2, a3, a4), I a0, I a1,
                 O a2, F a3, G a4)
HEDDLE_ALGORITHM(O, transform_exclusive_scan, (class I, class O, class F, class T, class G), (a0, a1, a2, a3, a4,
                 a5), I a0, I a1, O a2, F a3, T a4, G a5)
HEDDLE_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O), (a0, a1, a2, a3), I a0, I a1, J a2, O a3)
HEDDLE_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O, class F), (a0, a1, a2, a3, a4), I a0, I a1,
                 J a2, O a3, F a4)
HEDDLE_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O, class F, class G), (a0, a1, a2, a3, a4, a5),
                 I a0, I a1, J a2, O a3, F a4, G a5)
HEDDLE_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O), (a0, a1, a2, a3), I a0, I a1, J a2, O a3)
HEDDLE_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O, class T), (a0, a1, a2, a3, a4), I a0, I a1,
                 J a2, O a3, T a4)
HEDDLE_ALGORITHM(O, adjacent_difference, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
HEDDLE_ALGORITHM(O, adjacent_difference, (class I, class O, class F), (a0, a1, a2, a3), I a0, I a1, O a2, F a3)
HEDDLE_ALGORITHM(void, sort, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(void, sort, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(void, stable_sort, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(void, stable_sort, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(void, sort_by_key, (class I, class J), (a0, a1, a2), I a0, I a1, J a2)
HEDDLE_ALGORITHM(void, sort_by_key, (class I, class J, class F), (a0, a1, a2, a3), I a0, I a1, J a2, F a3)
HEDDLE_ALGORITHM(void, stable_sort_by_key, (class I, class J), (a0, a1, a2), I a0, I a1, J a2)
HEDDLE_ALGORITHM(void, stable_sort_by_key, (class I, class J, class F), (a0, a1, a2, a3), I a0, I a1, J a2, F a3)
HEDDLE_ALGORITHM(bool, is_sorted, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(bool, is_sorted, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, remove, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(I, remove_if, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, remove_if, (class I, class S, class F), (a0, a1, a2, a3), I a0, I a1, S a2, F a3)
HEDDLE_ALGORITHM(O, remove_copy, (class I, class O, class T), (a0, a1, a2, a3), I a0, I a1, O a2, const T &a3)
HEDDLE_ALGORITHM(O, remove_copy_if, (class I, class O, class F), (a0, a1, a2, a3), I a0, I a1, O a2, F a3)
HEDDLE_ALGORITHM(I, partition, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, stable_partition, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, unique, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(I, unique, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(O, unique_copy, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(I, J), unique_by_key, (class I, class J), (a0, a1, a2), I a0, I a1, J a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(I, J), unique_by_key, (class I, class J, class F), (a0, a1, a2, a3), I a0, I a1, J a2,
                 F a3)
HEDDLE_ALGORITHM(HEDDLE_PAIR(O, Q), unique_by_key_copy, (class I, class J, class O, class Q), (a0, a1, a2, a3, a4),
                 I a0, I a1, J a2, O a3, Q a4)
HEDDLE_ALGORITHM(HEDDLE_PAIR(O, Q), merge_by_key, (class I, class J, class K, class L, class O, class Q), (a0, a1,
                 a2, a3, a4, a5, a6, a7), I a0, I a1, J a2, J a3, K a4, L a5, O a6, Q a7)
HEDDLE_ALGORITHM(O, merge, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(O, set_union, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(O, set_intersection, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(O, set_difference, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(I, max_element, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(I, max_element, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, min_element, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(I, min_element, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(HEDDLE_PAIR(I, I), minmax_element, (class I), (a0, a1), I a0, I a1)
HEDDLE_ALGORITHM(HEDDLE_PAIR(I, I), minmax_element, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(ptrdiff_t, count, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(ptrdiff_t, count_if, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, find, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(I, find_if, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(I, find_if_not, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(bool, all_of, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(bool, any_of, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(bool, none_of, (class I, class F), (a0, a1, a2), I a0, I a1, F a2)
HEDDLE_ALGORITHM(bool, equal, (class I, class J), (a0, a1, a2), I a0, I a1, J a2)
HEDDLE_ALGORITHM(bool, equal, (class I, class J, class F), (a0, a1, a2, a3), I a0, I a1, J a2, F a3)
HEDDLE_ALGORITHM(bool, binary_search, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(I, lower_bound, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(I, upper_bound, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(O, lower_bound, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(O, upper_bound, (class I, class J, class O), (a0, a1, a2, a3, a4), I a0, I a1, J a2, J a3, O a4)
HEDDLE_ALGORITHM(void, uninitialized_fill, (class I, class T), (a0, a1, a2), I a0, I a1, const T &a2)
HEDDLE_ALGORITHM(O, uninitialized_copy, (class I, class O), (a0, a1, a2), I a0, I a1, O a2)
#undef HEDDLE_ALGORITHM
#undef HEDDLE_ALL
#undef HEDDLE_VALUE
} // namespace thrust
