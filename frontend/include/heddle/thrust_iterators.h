// Thrust's pointers and iterators: what device code reads through them is what they were made of.
#pragma once
#include "cuda_std.h"
#include <iterator>
#include <stdexcept>
#include <tuple>

// A constant that both sides name.
#define HEDDLE_ANYWHERE static const __attribute__((device))
#define HEDDLE_PAIR(A, B) thrust::pair<A, B>

namespace thrust {
using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
struct use_default {};
struct random_access_traversal_tag {};

// All of them move the same way: `Self` adds what is read at a place.
template <class Self, class Value, class Reference = Value> struct heddle_iterator {
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::remove_cv_t<Value> value_type;
  typedef ptrdiff_t difference_type;
  typedef void pointer;
  typedef Reference reference;
  HEDDLE_METHOD Self &self() { return static_cast<Self &>(*this); }
  HEDDLE_METHOD const Self &self() const { return static_cast<const Self &>(*this); }
  HEDDLE_METHOD Reference operator[](ptrdiff_t n) const { return self().at(n); }
  HEDDLE_METHOD Reference operator*() const { return self().at(0); }
  HEDDLE_METHOD Self &operator+=(ptrdiff_t n) {
    self().advance(n);
    return self();
  }
  HEDDLE_METHOD Self &operator-=(ptrdiff_t n) { return *this += -n; }
  HEDDLE_METHOD Self &operator++() { return *this += 1; }
  HEDDLE_METHOD Self &operator--() { return *this += -1; }
  HEDDLE_METHOD Self operator++(int) {
    Self before = self();
    *this += 1;
    return before;
  }
  HEDDLE_METHOD Self operator+(ptrdiff_t n) const {
    Self moved = self();
    moved.advance(n);
    return moved;
  }
  HEDDLE_METHOD Self operator-(ptrdiff_t n) const { return *this + -n; }
  HEDDLE_METHOD ptrdiff_t operator-(const Self &other) const { return self().from(other); }
  HEDDLE_METHOD bool operator==(const Self &other) const { return self().from(other) == 0; }
  HEDDLE_METHOD bool operator!=(const Self &other) const { return self().from(other) != 0; }
  HEDDLE_METHOD bool operator<(const Self &other) const { return self().from(other) < 0; }
};

template <class T> struct device_reference;
template <class T> struct device_ptr : heddle_iterator<device_ptr<T>, T, device_reference<T>> {
  typedef T element_type;
  T *held;
  HEDDLE_METHOD device_ptr() : held(nullptr) {}
  HEDDLE_METHOD explicit device_ptr(T *raw) : held(raw) {}
  template <class U> HEDDLE_METHOD device_ptr(const device_ptr<U> &other) : held((T *)other.get()) {}
  HEDDLE_METHOD T *get() const { return held; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { held += n; }
  HEDDLE_METHOD ptrdiff_t from(const device_ptr &other) const { return held - other.held; }
  // On the device a reference is a reference.
  __attribute__((device, always_inline, nodebug)) T &operator*() const { return *held; }
  __attribute__((device, always_inline, nodebug)) T &operator[](ptrdiff_t n) const { return held[n]; }
  __attribute__((host)) device_reference<T> operator*() const;
  __attribute__((host)) device_reference<T> operator[](ptrdiff_t) const;
  HEDDLE_METHOD explicit operator bool() const { return held != nullptr; }
};
// Memory without a type.
template <> struct device_ptr<void> {
  void *held;
  HEDDLE_METHOD device_ptr() : held(nullptr) {}
  HEDDLE_METHOD explicit device_ptr(void *raw) : held(raw) {}
  template <class U> HEDDLE_METHOD device_ptr(const device_ptr<U> &other) : held((void *)other.get()) {}
  HEDDLE_METHOD void *get() const { return held; }
};
template <class T> HEDDLE_BOTH device_ptr<T> device_pointer_cast(T *raw) { return device_ptr<T>(raw); }
template <class T> HEDDLE_BOTH device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> HEDDLE_BOTH T *raw_pointer_cast(T *p) { return p; }
template <class T> HEDDLE_BOTH T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> T &raw_reference_cast(const device_reference<T> &);

template <class T, class System = use_default, class Traversal = use_default, class Difference = use_default>
struct counting_iterator : heddle_iterator<counting_iterator<T>, T> {
  T now;
  HEDDLE_METHOD counting_iterator(T first = T()) : now(first) {}
  HEDDLE_METHOD T at(ptrdiff_t n) const { return T(now + n); }
  HEDDLE_METHOD void advance(ptrdiff_t n) { now = T(now + n); }
  template <class U> HEDDLE_METHOD ptrdiff_t from(const U &other) const {
    return ptrdiff_t(now) - ptrdiff_t(other.now);
  }
  HEDDLE_METHOD operator counting_iterator<T>() const;
};
template <class T> struct constant_iterator : heddle_iterator<constant_iterator<T>, T> {
  T value;
  ptrdiff_t place;
  HEDDLE_METHOD constant_iterator(T value, ptrdiff_t place = 0) : value(value), place(place) {}
  HEDDLE_METHOD T at(ptrdiff_t) const { return value; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { place += n; }
  HEDDLE_METHOD ptrdiff_t from(const constant_iterator &other) const { return place - other.place; }
};
struct heddle_discarded {
  template <class T> HEDDLE_METHOD heddle_discarded &operator=(const T &) { return *this; }
};
template <class = void> struct discard_iterator : heddle_iterator<discard_iterator<>, heddle_discarded> {
  ptrdiff_t place;
  HEDDLE_METHOD discard_iterator(ptrdiff_t place = 0) : place(place) {}
  HEDDLE_METHOD heddle_discarded at(ptrdiff_t) const { return {}; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { place += n; }
  HEDDLE_METHOD ptrdiff_t from(const discard_iterator &other) const { return place - other.place; }
};
template <class F, class I, class = use_default, class = use_default>
struct transform_iterator
    : heddle_iterator<transform_iterator<F, I>, decltype(std::declval<F>()(*std::declval<I>()))> {
  I under;
  F f;
  HEDDLE_METHOD transform_iterator(I under, F f = F()) : under(under), f(f) {}
  HEDDLE_METHOD auto at(ptrdiff_t n) const { return f(under[n]); }
  HEDDLE_METHOD void advance(ptrdiff_t n) { under += n; }
  HEDDLE_METHOD ptrdiff_t from(const transform_iterator &other) const { return under - other.under; }
};
template <class E, class I>
struct permutation_iterator : heddle_iterator<permutation_iterator<E, I>, typename std::iterator_traits<E>::value_type,
                                              decltype(*std::declval<E>())> {
  E elements;
  I indices;
  HEDDLE_METHOD permutation_iterator(E elements, I indices) : elements(elements), indices(indices) {}
  HEDDLE_METHOD decltype(auto) at(ptrdiff_t n) const { return elements[indices[n]]; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { indices += n; }
  HEDDLE_METHOD ptrdiff_t from(const permutation_iterator &other) const { return indices - other.indices; }
};
// What several iterators read at once. Its references are left to whoever takes them apart.
template <class Tuple> struct zip_iterator;
template <class... I>
struct zip_iterator<std::tuple<I...>>
    : heddle_iterator<zip_iterator<std::tuple<I...>>, std::tuple<typename std::iterator_traits<I>::value_type...>,
                      std::tuple<decltype(*std::declval<I>())...>> {
  std::tuple<I...> under;
  HEDDLE_METHOD zip_iterator(std::tuple<I...> under) : under(under) {}
  HEDDLE_METHOD const std::tuple<I...> &get_iterator_tuple() const { return under; }
  HEDDLE_METHOD std::tuple<decltype(*std::declval<I>())...> at(ptrdiff_t n) const {
    return at(n, std::index_sequence_for<I...>());
  }
  template <size_t... N>
  HEDDLE_METHOD std::tuple<decltype(*std::declval<I>())...> at(ptrdiff_t n, std::index_sequence<N...>) const {
    return {std::get<N>(under)[n]...};
  }
  HEDDLE_METHOD void advance(ptrdiff_t n) { advance(n, std::index_sequence_for<I...>()); }
  template <size_t... N> HEDDLE_METHOD void advance(ptrdiff_t n, std::index_sequence<N...>) {
    ((std::get<N>(under) += n), ...);
  }
  HEDDLE_METHOD ptrdiff_t from(const zip_iterator &other) const {
    return std::get<0>(under) - std::get<0>(other.under);
  }
};
template <class F> struct zip_function {
  F f;
  HEDDLE_METHOD zip_function(F f) : f(f) {}
  template <class Tuple> HEDDLE_METHOD decltype(auto) operator()(Tuple &&all) const { return std::apply(f, all); }
};
template <class F> HEDDLE_BOTH zip_function<F> make_zip_function(F f) { return {f}; }
template <class T> HEDDLE_BOTH counting_iterator<T> make_counting_iterator(T first) { return {first}; }
template <class T> HEDDLE_BOTH constant_iterator<T> make_constant_iterator(T value, ptrdiff_t place = 0) {
  return {value, place};
}
HEDDLE_BOTH discard_iterator<> make_discard_iterator(ptrdiff_t place = 0) { return {place}; }
template <class I, class F> HEDDLE_BOTH transform_iterator<F, I> make_transform_iterator(I under, F f) {
  return {under, f};
}
template <class E, class I> HEDDLE_BOTH permutation_iterator<E, I> make_permutation_iterator(E elements, I indices) {
  return {elements, indices};
}
template <class... I> HEDDLE_BOTH zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> under) {
  return {under};
}
template <class... I> HEDDLE_BOTH zip_iterator<std::tuple<I...>> make_zip_iterator(I... under) {
  return {std::tuple<I...>(under...)};
}
template <class I> HEDDLE_BOTH ptrdiff_t distance(I first, I last) { return last - first; }
template <class I> HEDDLE_BOTH void advance(I &it, ptrdiff_t n) { it += n; }
template <class I> HEDDLE_BOTH I next(I it, ptrdiff_t n = 1) { return it + n; }
template <class I> struct iterator_traits : std::iterator_traits<I> {};
template <class I> struct iterator_value {
  typedef typename std::iterator_traits<I>::value_type type;
};
template <class I> struct iterator_difference {
  typedef ptrdiff_t type;
};
template <class I> using iterator_value_t = typename iterator_value<I>::type;
} // namespace thrust
