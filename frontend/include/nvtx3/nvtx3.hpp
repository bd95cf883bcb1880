// Marks for profilers as C++ has them. They change nothing, so that they are empty here.
#pragma once
#include "../nvToolsExt.h"
#include <string>

namespace nvtx3 {
inline namespace v1 {
struct rgb {
  constexpr rgb(unsigned char, unsigned char, unsigned char) {}
};
struct argb {
  constexpr argb(unsigned char, unsigned char, unsigned char, unsigned char) {}
};
struct color {
  constexpr explicit color(unsigned int) {}
  constexpr color(rgb) {}
  constexpr color(argb) {}
};
struct category {
  constexpr explicit category(unsigned int) {}
};
struct payload {
  template <class _T> constexpr explicit payload(_T) {}
};
struct message {
  constexpr message(const char *) {}
  constexpr message(const wchar_t *) {}
  message(const std::string &) {}
};
struct domain {
  struct global {};
};
template <class _D = domain::global> struct named_category_in : category {
  using category::category;
  named_category_in(unsigned int n, const char *) : category(n) {}
  template <class _C> static const named_category_in &get() {
    static const named_category_in one(0, "");
    return one;
  }
};
using named_category = named_category_in<>;
template <class _D = domain::global> struct registered_string_in : message {
  explicit registered_string_in(const char *text) : message(text) {}
  template <class _M> static const registered_string_in &get() {
    static const registered_string_in one("");
    return one;
  }
};
using registered_string = registered_string_in<>;
struct event_attributes {
  template <class... _A> constexpr explicit event_attributes(const _A &...) {}
};
template <class _D = domain::global> struct scoped_range_in {
  template <class... _A> explicit scoped_range_in(const _A &...) {}
  scoped_range_in(const scoped_range_in &) = delete;
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;
template <class _D = domain::global> struct unique_range_in {
  template <class... _A> explicit unique_range_in(const _A &...) {}
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;
struct range_handle {
  nvtxRangeId_t id = 0;
  constexpr nvtxRangeId_t get_value() const { return id; }
};
template <class _D = domain::global, class... _A> range_handle start_range(const _A &...) { return {}; }
template <class _D = domain::global, class... _A> range_handle start_range_in(const _A &...) { return {}; }
inline void end_range(range_handle) {}
template <class _D> void end_range_in(range_handle) {}
template <class... _A> void mark(const _A &...) {}
template <class _D, class... _A> void mark_in(const _A &...) {}
} // namespace v1
} // namespace nvtx3
#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(D) ((void)0)
#define NVTX3_FUNC_RANGE_IF(C) ((void)(C))
#define NVTX3_FUNC_RANGE_IF_IN(D, C) ((void)(C))
