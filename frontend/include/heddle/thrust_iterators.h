// Thrust's pointers and iterators: what device code reads through them is what they were made of.
#pragma once
#include "cuda_std.h"
#include <iterator>
#include <stdexcept>
#include <tuple>

// A constant that both sides name.
#define HEDDLE_ANYWHERE static const __attribute__((device))
#define HEDDLE_PAIR(_A, _B) thrust::pair<_A, _B>

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

template <class _T> struct device_reference;
template <class _T> struct device_ptr : heddle_iterator<device_ptr<_T>, _T, device_reference<_T>> {
  typedef _T element_type;
  _T *held;
  HEDDLE_METHOD device_ptr() : held(nullptr) {}
  HEDDLE_METHOD explicit device_ptr(_T *raw) : held(raw) {}
  template <class _U> HEDDLE_METHOD device_ptr(const device_ptr<_U> &other) : held((_T *)other.get()) {}
  HEDDLE_METHOD _T *get() const { return held; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { held += n; }
  HEDDLE_METHOD ptrdiff_t from(const device_ptr &other) const { return held - other.held; }
  // On the device a reference is a reference.
  __attribute__((device, always_inline, nodebug)) _T &operator*() const { return *held; }
  __attribute__((device, always_inline, nodebug)) _T &operator[](ptrdiff_t n) const { return held[n]; }
  __attribute__((host)) device_reference<_T> operator*() const;
  __attribute__((host)) device_reference<_T> operator[](ptrdiff_t) const;
  HEDDLE_METHOD explicit operator bool() const { return held != nullptr; }
};
// Memory without a type.
template <> struct device_ptr<void> {
  void *held;
  HEDDLE_METHOD device_ptr() : held(nullptr) {}
  HEDDLE_METHOD explicit device_ptr(void *raw) : held(raw) {}
  template <class _U> HEDDLE_METHOD device_ptr(const device_ptr<_U> &other) : held((void *)other.get()) {}
  HEDDLE_METHOD void *get() const { return held; }
};
template <class _T> HEDDLE_BOTH device_ptr<_T> device_pointer_cast(_T *raw) { return device_ptr<_T>(raw); }
template <class _T> HEDDLE_BOTH device_ptr<_T> device_pointer_cast(const device_ptr<_T> &p) { return p; }
template <class _T> HEDDLE_BOTH _T *raw_pointer_cast(_T *p) { return p; }
template <class _T> HEDDLE_BOTH _T *raw_pointer_cast(const device_ptr<_T> &p) { return p.get(); }
template <class _T> _T &raw_reference_cast(const device_reference<_T> &);

template <class _T, class System = use_default, class Traversal = use_default, class Difference = use_default>
struct counting_iterator : heddle_iterator<counting_iterator<_T>, _T> {
  _T now;
  HEDDLE_METHOD counting_iterator(_T first = _T()) : now(first) {}
  HEDDLE_METHOD _T at(ptrdiff_t n) const { return _T(now + n); }
  HEDDLE_METHOD void advance(ptrdiff_t n) { now = _T(now + n); }
  template <class _U> HEDDLE_METHOD ptrdiff_t from(const _U &other) const {
    return ptrdiff_t(now) - ptrdiff_t(other.now);
  }
  HEDDLE_METHOD operator counting_iterator<_T>() const;
};
template <class _T> struct constant_iterator : heddle_iterator<constant_iterator<_T>, _T> {
  _T value;
  ptrdiff_t place;
  HEDDLE_METHOD constant_iterator(_T value, ptrdiff_t place = 0) : value(value), place(place) {}
  HEDDLE_METHOD _T at(ptrdiff_t) const { return value; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { place += n; }
  HEDDLE_METHOD ptrdiff_t from(const constant_iterator &other) const { return place - other.place; }
};
template <class _I>
struct reverse_iterator
    : heddle_iterator<reverse_iterator<_I>, typename std::iterator_traits<_I>::value_type, decltype(*std::declval<_I>())> {
  _I under;
  HEDDLE_METHOD explicit reverse_iterator(_I under) : under(under) {}
  HEDDLE_METHOD _I base() const { return under; }
  HEDDLE_METHOD decltype(auto) at(ptrdiff_t n) const { return under[-1 - n]; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { under -= n; }
  HEDDLE_METHOD ptrdiff_t from(const reverse_iterator &other) const { return other.under - under; }
};
// What is stored through it goes through a function first.
template <class _F, class _I> struct heddle_transformed {
  _I under;
  _F f;
  template <class _T> HEDDLE_METHOD const heddle_transformed &operator=(const _T &v) const {
    *under = f(v);
    return *this;
  }
};
template <class _F, class _I>
struct transform_output_iterator
    : heddle_iterator<transform_output_iterator<_F, _I>, void, heddle_transformed<_F, _I>> {
  _I under;
  _F f;
  HEDDLE_METHOD transform_output_iterator(_I under, _F f) : under(under), f(f) {}
  HEDDLE_METHOD heddle_transformed<_F, _I> at(ptrdiff_t n) const { return {under + n, f}; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { under += n; }
  HEDDLE_METHOD ptrdiff_t from(const transform_output_iterator &other) const { return under - other.under; }
};
struct heddle_discarded {
  template <class _T> HEDDLE_METHOD heddle_discarded &operator=(const _T &) { return *this; }
};
template <class = void> struct discard_iterator : heddle_iterator<discard_iterator<>, heddle_discarded> {
  ptrdiff_t place;
  HEDDLE_METHOD discard_iterator(ptrdiff_t place = 0) : place(place) {}
  HEDDLE_METHOD heddle_discarded at(ptrdiff_t) const { return {}; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { place += n; }
  HEDDLE_METHOD ptrdiff_t from(const discard_iterator &other) const { return place - other.place; }
};
template <class _F, class _I, class = use_default, class = use_default>
struct transform_iterator
    : heddle_iterator<transform_iterator<_F, _I>, decltype(std::declval<_F>()(*std::declval<_I>()))> {
  _I under;
  _F f;
  HEDDLE_METHOD transform_iterator(_I under, _F f = _F()) : under(under), f(f) {}
  HEDDLE_METHOD auto at(ptrdiff_t n) const { return f(under[n]); }
  HEDDLE_METHOD void advance(ptrdiff_t n) { under += n; }
  HEDDLE_METHOD ptrdiff_t from(const transform_iterator &other) const { return under - other.under; }
};
template <class _E, class _I>
struct permutation_iterator : heddle_iterator<permutation_iterator<_E, _I>, typename std::iterator_traits<_E>::value_type,
                                              decltype(*std::declval<_E>())> {
  _E elements;
  _I indices;
  HEDDLE_METHOD permutation_iterator(_E elements, _I indices) : elements(elements), indices(indices) {}
  HEDDLE_METHOD decltype(auto) at(ptrdiff_t n) const { return elements[indices[n]]; }
  HEDDLE_METHOD void advance(ptrdiff_t n) { indices += n; }
  HEDDLE_METHOD ptrdiff_t from(const permutation_iterator &other) const { return indices - other.indices; }
};
// What several iterators read at once. Its references are left to whoever takes them apart.
template <class Tuple> struct zip_iterator;
template <class... _I>
struct zip_iterator<std::tuple<_I...>>
    : heddle_iterator<zip_iterator<std::tuple<_I...>>, std::tuple<typename std::iterator_traits<_I>::value_type...>,
                      std::tuple<decltype(*std::declval<_I>())...>> {
  std::tuple<_I...> under;
  HEDDLE_METHOD zip_iterator(std::tuple<_I...> under) : under(under) {}
  HEDDLE_METHOD const std::tuple<_I...> &get_iterator_tuple() const { return under; }
  HEDDLE_METHOD std::tuple<decltype(*std::declval<_I>())...> at(ptrdiff_t n) const {
    return at(n, std::index_sequence_for<_I...>());
  }
  template <size_t... _N>
  HEDDLE_METHOD std::tuple<decltype(*std::declval<_I>())...> at(ptrdiff_t n, std::index_sequence<_N...>) const {
    return {std::get<_N>(under)[n]...};
  }
  HEDDLE_METHOD void advance(ptrdiff_t n) { advance(n, std::index_sequence_for<_I...>()); }
  template <size_t... _N> HEDDLE_METHOD void advance(ptrdiff_t n, std::index_sequence<_N...>) {
    ((std::get<_N>(under) += n), ...);
  }
  HEDDLE_METHOD ptrdiff_t from(const zip_iterator &other) const {
    return std::get<0>(under) - std::get<0>(other.under);
  }
};
template <class _F> struct zip_function {
  _F f;
  HEDDLE_METHOD zip_function(_F f) : f(f) {}
  template <class Tuple> HEDDLE_METHOD decltype(auto) operator()(Tuple &&all) const { return std::apply(f, all); }
};
template <class _F> HEDDLE_BOTH zip_function<_F> make_zip_function(_F f) { return {f}; }
template <class _T> HEDDLE_BOTH counting_iterator<_T> make_counting_iterator(_T first) { return {first}; }
template <class _T> HEDDLE_BOTH constant_iterator<_T> make_constant_iterator(_T value, ptrdiff_t place = 0) {
  return {value, place};
}
HEDDLE_BOTH discard_iterator<> make_discard_iterator(ptrdiff_t place = 0) { return {place}; }
template <class _I, class _F> HEDDLE_BOTH transform_iterator<_F, _I> make_transform_iterator(_I under, _F f) {
  return {under, f};
}
template <class _I> HEDDLE_BOTH reverse_iterator<_I> make_reverse_iterator(_I under) {
  return reverse_iterator<_I>(under);
}
template <class _F, class _I> HEDDLE_BOTH transform_output_iterator<_F, _I> make_transform_output_iterator(_I under, _F f) {
  return {under, f};
}
template <class _E, class _I> HEDDLE_BOTH permutation_iterator<_E, _I> make_permutation_iterator(_E elements, _I indices) {
  return {elements, indices};
}
template <class... _I> HEDDLE_BOTH zip_iterator<std::tuple<_I...>> make_zip_iterator(std::tuple<_I...> under) {
  return {under};
}
template <class... _I> HEDDLE_BOTH zip_iterator<std::tuple<_I...>> make_zip_iterator(_I... under) {
  return {std::tuple<_I...>(under...)};
}
template <class _I> HEDDLE_BOTH ptrdiff_t distance(_I first, _I last) { return last - first; }
template <class _I> HEDDLE_BOTH void advance(_I &it, ptrdiff_t n) { it += n; }
template <class _I> HEDDLE_BOTH _I next(_I it, ptrdiff_t n = 1) { return it + n; }
template <class _I> struct iterator_traits : std::iterator_traits<_I> {};
template <class _I> struct iterator_value {
  typedef typename std::iterator_traits<_I>::value_type type;
};
template <class _I> struct iterator_difference {
  typedef ptrdiff_t type;
};
template <class _I> using iterator_value_t = typename iterator_value<_I>::type;
} // namespace thrust
