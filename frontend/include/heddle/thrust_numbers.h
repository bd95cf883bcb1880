// Thrust's numbers and functions as objects: complex numbers by their formulas, random numbers left open.
#pragma once
#include "cuda_std.h"
#include <cmath>

namespace thrust {
// With a type that is given, or with whatever comes.
#define HEDDLE_FUNCTION(name, _R, expression)                                                                          \
  template <class _T = void> struct name {                                                                             \
    typedef _T first_argument_type;                                                                                    \
    typedef _T second_argument_type;                                                                                   \
    HEDDLE_METHOD constexpr _R operator()(const _T &a, const _T &b) const { return expression; }                       \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class _T, class _U> HEDDLE_METHOD constexpr auto operator()(const _T &a, const _U &b) const {            \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
HEDDLE_FUNCTION(plus, _T, a + b)
HEDDLE_FUNCTION(minus, _T, a - b)
HEDDLE_FUNCTION(multiplies, _T, a *b)
HEDDLE_FUNCTION(divides, _T, a / b)
HEDDLE_FUNCTION(modulus, _T, a % b)
HEDDLE_FUNCTION(bit_and, _T, a &b)
HEDDLE_FUNCTION(bit_or, _T, a | b)
HEDDLE_FUNCTION(bit_xor, _T, a ^ b)
HEDDLE_FUNCTION(maximum, _T, a < b ? b : a)
HEDDLE_FUNCTION(minimum, _T, b < a ? b : a)
HEDDLE_FUNCTION(equal_to, bool, a == b)
HEDDLE_FUNCTION(not_equal_to, bool, a != b)
HEDDLE_FUNCTION(less, bool, a < b)
HEDDLE_FUNCTION(less_equal, bool, a <= b)
HEDDLE_FUNCTION(greater, bool, a > b)
HEDDLE_FUNCTION(greater_equal, bool, a >= b)
HEDDLE_FUNCTION(logical_and, bool, a && b)
HEDDLE_FUNCTION(logical_or, bool, a || b)
#undef HEDDLE_FUNCTION
template <class _T = void> struct identity {
  HEDDLE_METHOD const _T &operator()(const _T &a) const { return a; }
};
template <class _T = void> struct negate {
  HEDDLE_METHOD _T operator()(const _T &a) const { return -a; }
};
template <class _T = void> struct square {
  HEDDLE_METHOD _T operator()(const _T &a) const { return a * a; }
};
template <class _T = void> struct logical_not {
  HEDDLE_METHOD bool operator()(const _T &a) const { return !a; }
};
template <class _A, class _R> struct unary_function {
  typedef _A argument_type;
  typedef _R result_type;
};
template <class _A, class _B, class _R> struct binary_function {
  typedef _A first_argument_type;
  typedef _B second_argument_type;
  typedef _R result_type;
};
template <class _T> HEDDLE_BOTH _T max(const _T &a, const _T &b) { return a < b ? b : a; }
template <class _T> HEDDLE_BOTH _T min(const _T &a, const _T &b) { return b < a ? b : a; }
template <class _T> HEDDLE_BOTH void swap(_T &a, _T &b) {
  _T t = a;
  a = b;
  b = t;
}

template <class _T> struct complex {
  typedef _T value_type;
  _T re, im;
  complex() = default;
  HEDDLE_METHOD complex(_T re, _T im = _T()) : re(re), im(im) {}
  template <class _U> HEDDLE_METHOD complex(const complex<_U> &z) : re(_T(z.real())), im(_T(z.imag())) {}
  HEDDLE_METHOD _T real() const { return re; }
  HEDDLE_METHOD _T imag() const { return im; }
  HEDDLE_METHOD void real(_T x) { re = x; }
  HEDDLE_METHOD void imag(_T y) { im = y; }
  HEDDLE_METHOD complex &operator+=(const complex &z) { return *this = complex(re + z.re, im + z.im); }
  HEDDLE_METHOD complex &operator-=(const complex &z) { return *this = complex(re - z.re, im - z.im); }
  HEDDLE_METHOD complex &operator*=(const complex &z) {
    return *this = complex(re * z.re - im * z.im, re * z.im + im * z.re);
  }
  HEDDLE_METHOD complex &operator/=(const complex &z) {
    _T size = z.re * z.re + z.im * z.im;
    return *this = complex((re * z.re + im * z.im) / size, (im * z.re - re * z.im) / size);
  }
  HEDDLE_METHOD friend complex operator+(complex a, const complex &b) { return a += b; }
  HEDDLE_METHOD friend complex operator-(complex a, const complex &b) { return a -= b; }
  HEDDLE_METHOD friend complex operator*(complex a, const complex &b) { return a *= b; }
  HEDDLE_METHOD friend complex operator/(complex a, const complex &b) { return a /= b; }
  HEDDLE_METHOD friend complex operator-(const complex &z) { return complex(-z.re, -z.im); }
  HEDDLE_METHOD friend bool operator==(const complex &a, const complex &b) { return a.re == b.re && a.im == b.im; }
  HEDDLE_METHOD friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
template <class _T> HEDDLE_BOTH complex<_T> conj(const complex<_T> &z) { return complex<_T>(z.re, -z.im); }
template <class _T> HEDDLE_BOTH _T norm(const complex<_T> &z) { return z.re * z.re + z.im * z.im; }
template <class _T> HEDDLE_BOTH _T abs(const complex<_T> &z) { return ::sqrt(norm(z)); }
template <class _T> HEDDLE_BOTH _T arg(const complex<_T> &z) { return ::atan2(z.im, z.re); }
template <class _T> HEDDLE_BOTH complex<_T> polar(const _T &size, const _T &angle = _T()) {
  return complex<_T>(size * ::cos(angle), size * ::sin(angle));
}
template <class _T> HEDDLE_BOTH complex<_T> exp(const complex<_T> &z) { return polar(_T(::exp(z.re)), z.im); }
template <class _T> HEDDLE_BOTH complex<_T> log(const complex<_T> &z) { return complex<_T>(::log(abs(z)), arg(z)); }
template <class _T> HEDDLE_BOTH complex<_T> sqrt(const complex<_T> &z) { return polar(_T(::sqrt(abs(z))), _T(arg(z) / 2)); }
template <class _T, class _U> HEDDLE_BOTH complex<_T> pow(const complex<_T> &z, const _U &n) {
  return exp(log(z) * complex<_T>(n));
}

// Engines and distributions: which numbers come is theirs to say.
struct heddle_engine {
  typedef unsigned int result_type;
  static constexpr unsigned int default_seed = 1, min = 0, max = ~0u;
  __attribute__((host, device)) heddle_engine(unsigned int = default_seed);
  __attribute__((host, device)) void seed(unsigned int = default_seed);
  __attribute__((host, device)) void discard(unsigned long long);
  __attribute__((host, device)) unsigned int operator()();
};
template <class _T> struct heddle_distribution {
  typedef _T result_type;
  __attribute__((host, device)) heddle_distribution(_T = _T(), _T = _T(1));
  template <class _G> __attribute__((host, device)) _T operator()(_G &);
};
namespace random {
typedef heddle_engine default_random_engine, minstd_rand, minstd_rand0, taus88, ranlux24, ranlux48;
template <class _T = int> using uniform_int_distribution = heddle_distribution<_T>;
template <class _T = double> using uniform_real_distribution = heddle_distribution<_T>;
template <class _T = double> using normal_distribution = heddle_distribution<_T>;
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
// `_1 * n + _2`: functions that are written as expressions of their arguments.
namespace placeholders {
template <int _N> struct heddle_place {
  template <class _A, class... Rest> HEDDLE_METHOD constexpr auto operator()(const _A &a, const Rest &...rest) const {
    if constexpr (_N == 0)
      return a;
    else
      return heddle_place<_N - 1>{}(rest...);
  }
};
template <class _T> struct heddle_held {
  _T value;
  template <class... Args> HEDDLE_METHOD constexpr _T operator()(const Args &...) const { return value; }
};
template <class Op, class _L, class _R> struct heddle_pair {
  _L l;
  _R r;
  template <class... Args> HEDDLE_METHOD constexpr auto operator()(const Args &...args) const {
    return Op{}(l(args...), r(args...));
  }
};
template <class _T> struct heddle_lazy {
  static constexpr bool is = false;
  typedef heddle_held<_T> Type;
};
template <int _N> struct heddle_lazy<heddle_place<_N>> {
  static constexpr bool is = true;
  typedef heddle_place<_N> Type;
};
template <class Op, class _L, class _R> struct heddle_lazy<heddle_pair<Op, _L, _R>> {
  static constexpr bool is = true;
  typedef heddle_pair<Op, _L, _R> Type;
};
#define HEDDLE_LAZY(op, name)                                                                                          \
  template <class _L, class _R, class = std::enable_if_t<heddle_lazy<_L>::is || heddle_lazy<_R>::is>>                  \
  HEDDLE_METHOD constexpr auto operator op(_L l, _R r) {                                                               \
    return heddle_pair<name<>, typename heddle_lazy<_L>::Type, typename heddle_lazy<_R>::Type>{{l}, {r}};              \
  }
HEDDLE_LAZY(+, plus)
HEDDLE_LAZY(-, minus)
HEDDLE_LAZY(*, multiplies)
HEDDLE_LAZY(/, divides)
HEDDLE_LAZY(%, modulus)
HEDDLE_LAZY(==, equal_to)
HEDDLE_LAZY(!=, not_equal_to)
HEDDLE_LAZY(<, less)
HEDDLE_LAZY(<=, less_equal)
HEDDLE_LAZY(>, greater)
HEDDLE_LAZY(>=, greater_equal)
HEDDLE_LAZY(&&, logical_and)
HEDDLE_LAZY(||, logical_or)
HEDDLE_LAZY(&, bit_and)
HEDDLE_LAZY(|, bit_or)
HEDDLE_LAZY(^, bit_xor)
#undef HEDDLE_LAZY
static constexpr heddle_place<0> _1{};
static constexpr heddle_place<1> _2{};
static constexpr heddle_place<2> _3{};
} // namespace placeholders
} // namespace thrust
