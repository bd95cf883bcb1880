// Algorithms of Thrust that device code runs with `thrust::seq`: the calling thread does all of it, so that each is a loop.
// Where elements are found by their number, for whoever follows the pointers.
//
// **Does not**: sort, merge or remove, whose order of reads and writes is Thrust's own affair; these stay declarations.
#pragma once

namespace thrust {
#define HEDDLE_SEQUENTIAL(_R, name, types, ...)                                                                        \
  template <HEDDLE_ALL types>                                                                                          \
  __attribute__((device, always_inline, nodebug)) inline _R name(const heddle_sequential &, __VA_ARGS__)
HEDDLE_SEQUENTIAL(void, fill, (class _I, class _T), _I a, _I b, const _T &v) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    a[i] = v;
}
HEDDLE_SEQUENTIAL(_I, fill_n, (class _I, class _N, class _T), _I a, _N n, const _T &v) {
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n; ++i)
    a[i] = v;
  return a + (ptrdiff_t)n;
}
HEDDLE_SEQUENTIAL(void, sequence, (class _I, class _T), _I a, _I b, _T v, _T step) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    a[i] = v + step * (_T)i;
}
HEDDLE_SEQUENTIAL(void, sequence, (class _I, class _T), _I a, _I b, _T v) { sequence(seq, a, b, v, (_T)1); }
HEDDLE_SEQUENTIAL(void, sequence, (class _I), _I a, _I b) {
  sequence(seq, a, b, HEDDLE_VALUE(_I)(0), HEDDLE_VALUE(_I)(1));
}
HEDDLE_SEQUENTIAL(_O, copy, (class _I, class _O), _I a, _I b, _O to) {
  ptrdiff_t n = b - a;
  for (ptrdiff_t i = 0; i < n; ++i)
    to[i] = a[i];
  return to + n;
}
HEDDLE_SEQUENTIAL(_O, copy_n, (class _I, class _N, class _O), _I a, _N n, _O to) {
  return copy(seq, a, a + (ptrdiff_t)n, to);
}
HEDDLE_SEQUENTIAL(_I, for_each_n, (class _I, class _N, class _F), _I a, _N n, _F f) {
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n; ++i)
    f(a[i]);
  return a + (ptrdiff_t)n;
}
HEDDLE_SEQUENTIAL(_I, for_each, (class _I, class _F), _I a, _I b, _F f) { return for_each_n(seq, a, b - a, f); }
HEDDLE_SEQUENTIAL(_O, transform, (class _I, class _O, class _F), _I a, _I b, _O to, _F f) {
  ptrdiff_t n = b - a;
  for (ptrdiff_t i = 0; i < n; ++i)
    to[i] = f(a[i]);
  return to + n;
}
HEDDLE_SEQUENTIAL(_O, transform, (class _I, class _J, class _O, class _F), _I a, _I b, _J other, _O to, _F f) {
  ptrdiff_t n = b - a;
  for (ptrdiff_t i = 0; i < n; ++i)
    to[i] = f(a[i], other[i]);
  return to + n;
}
HEDDLE_SEQUENTIAL(_T, reduce, (class _I, class _T, class _F), _I a, _I b, _T v, _F f) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    v = f(v, a[i]);
  return v;
}
HEDDLE_SEQUENTIAL(_T, reduce, (class _I, class _T), _I a, _I b, _T v) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    v = v + a[i];
  return v;
}
HEDDLE_SEQUENTIAL(HEDDLE_VALUE(_I), reduce, (class _I), _I a, _I b) { return reduce(seq, a, b, HEDDLE_VALUE(_I)()); }
HEDDLE_SEQUENTIAL(_T, transform_reduce, (class _I, class _F, class _T, class _G), _I a, _I b, _F f, _T v, _G g) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    v = g(v, f(a[i]));
  return v;
}
HEDDLE_SEQUENTIAL(_T, inner_product, (class _I, class _J, class _T), _I a, _I b, _J other, _T v) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    v = v + a[i] * other[i];
  return v;
}
HEDDLE_SEQUENTIAL(_T, inner_product, (class _I, class _J, class _T, class _F, class _G), _I a, _I b, _J other, _T v, _F f,
                  _G g) {
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    v = f(v, g(a[i], other[i]));
  return v;
}
// The sum goes on before the place is written: it may be the one that was read.
HEDDLE_SEQUENTIAL(_O, inclusive_scan, (class _I, class _O, class _F), _I a, _I b, _O to, _F f) {
  ptrdiff_t n = b - a;
  if (n > 0) {
    HEDDLE_VALUE(_I) sum = a[0];
    to[0] = sum;
    for (ptrdiff_t i = 1; i < n; ++i) {
      sum = f(sum, a[i]);
      to[i] = sum;
    }
  }
  return to + n;
}
HEDDLE_SEQUENTIAL(_O, inclusive_scan, (class _I, class _O), _I a, _I b, _O to) {
  return inclusive_scan(seq, a, b, to, plus<HEDDLE_VALUE(_I)>());
}
HEDDLE_SEQUENTIAL(_O, exclusive_scan, (class _I, class _O, class _T, class _F), _I a, _I b, _O to, _T sum, _F f) {
  ptrdiff_t n = b - a;
  for (ptrdiff_t i = 0; i < n; ++i) {
    _T next = f(sum, a[i]);
    to[i] = sum;
    sum = next;
  }
  return to + n;
}
HEDDLE_SEQUENTIAL(_O, exclusive_scan, (class _I, class _O, class _T), _I a, _I b, _O to, _T sum) {
  return exclusive_scan(seq, a, b, to, sum, plus<_T>());
}
HEDDLE_SEQUENTIAL(_O, exclusive_scan, (class _I, class _O), _I a, _I b, _O to) {
  return exclusive_scan(seq, a, b, to, HEDDLE_VALUE(_I)());
}
HEDDLE_SEQUENTIAL(_I, max_element, (class _I, class _F), _I a, _I b, _F less) {
  ptrdiff_t best = 0;
  for (ptrdiff_t i = 1, n = b - a; i < n; ++i)
    if (less(a[best], a[i]))
      best = i;
  return a + best;
}
HEDDLE_SEQUENTIAL(_I, max_element, (class _I), _I a, _I b) { return max_element(seq, a, b, thrust::less<HEDDLE_VALUE(_I)>()); }
HEDDLE_SEQUENTIAL(_I, min_element, (class _I, class _F), _I a, _I b, _F less) {
  ptrdiff_t best = 0;
  for (ptrdiff_t i = 1, n = b - a; i < n; ++i)
    if (less(a[i], a[best]))
      best = i;
  return a + best;
}
HEDDLE_SEQUENTIAL(_I, min_element, (class _I), _I a, _I b) { return min_element(seq, a, b, thrust::less<HEDDLE_VALUE(_I)>()); }
HEDDLE_SEQUENTIAL(ptrdiff_t, count_if, (class _I, class _F), _I a, _I b, _F f) {
  ptrdiff_t found = 0;
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    found += f(a[i]) ? 1 : 0;
  return found;
}
HEDDLE_SEQUENTIAL(ptrdiff_t, count, (class _I, class _T), _I a, _I b, const _T &v) {
  ptrdiff_t found = 0;
  for (ptrdiff_t i = 0, n = b - a; i < n; ++i)
    found += a[i] == v ? 1 : 0;
  return found;
}
HEDDLE_SEQUENTIAL(_I, find_if, (class _I, class _F), _I a, _I b, _F f) {
  ptrdiff_t i = 0, n = b - a;
  while (i < n && !f(a[i]))
    ++i;
  return a + i;
}
HEDDLE_SEQUENTIAL(_I, find_if_not, (class _I, class _F), _I a, _I b, _F f) {
  ptrdiff_t i = 0, n = b - a;
  while (i < n && f(a[i]))
    ++i;
  return a + i;
}
HEDDLE_SEQUENTIAL(_I, find, (class _I, class _T), _I a, _I b, const _T &v) {
  ptrdiff_t i = 0, n = b - a;
  while (i < n && !(a[i] == v))
    ++i;
  return a + i;
}
HEDDLE_SEQUENTIAL(bool, all_of, (class _I, class _F), _I a, _I b, _F f) { return find_if_not(seq, a, b, f) - a == b - a; }
HEDDLE_SEQUENTIAL(bool, any_of, (class _I, class _F), _I a, _I b, _F f) { return find_if(seq, a, b, f) - a != b - a; }
HEDDLE_SEQUENTIAL(bool, none_of, (class _I, class _F), _I a, _I b, _F f) { return find_if(seq, a, b, f) - a == b - a; }
// The first place whose value is not below the one asked for; and the first whose value is above it.
HEDDLE_SEQUENTIAL(_I, lower_bound, (class _I, class _T), _I a, _I b, const _T &v) {
  ptrdiff_t from = 0, n = b - a;
  while (n > 0) {
    ptrdiff_t half = n / 2;
    bool is_above = a[from + half] < v;
    from = is_above ? from + half + 1 : from;
    n = is_above ? n - half - 1 : half;
  }
  return a + from;
}
HEDDLE_SEQUENTIAL(_I, upper_bound, (class _I, class _T), _I a, _I b, const _T &v) {
  ptrdiff_t from = 0, n = b - a;
  while (n > 0) {
    ptrdiff_t half = n / 2;
    bool is_above = !(v < a[from + half]);
    from = is_above ? from + half + 1 : from;
    n = is_above ? n - half - 1 : half;
  }
  return a + from;
}
#undef HEDDLE_SEQUENTIAL
} // namespace thrust
