// Thrust's numbers and functions as objects: complex numbers by their formulas, random numbers left open.
#pragma once
#include "cuda_std.h"
#include <cmath>

namespace thrust {
// With a type that is given, or with whatever comes.
#define HEDDLE_FUNCTION(name, R, expression)                                                                           \
  template <class T = void> struct name {                                                                              \
    typedef T first_argument_type;                                                                                     \
    typedef T second_argument_type;                                                                                    \
    HEDDLE_METHOD constexpr R operator()(const T &a, const T &b) const { return expression; }                          \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class T, class U> HEDDLE_METHOD constexpr auto operator()(const T &a, const U &b) const {                \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
HEDDLE_FUNCTION(plus, T, a + b)
HEDDLE_FUNCTION(minus, T, a - b)
HEDDLE_FUNCTION(multiplies, T, a *b)
HEDDLE_FUNCTION(divides, T, a / b)
HEDDLE_FUNCTION(modulus, T, a % b)
HEDDLE_FUNCTION(bit_and, T, a &b)
HEDDLE_FUNCTION(bit_or, T, a | b)
HEDDLE_FUNCTION(bit_xor, T, a ^ b)
HEDDLE_FUNCTION(maximum, T, a < b ? b : a)
HEDDLE_FUNCTION(minimum, T, b < a ? b : a)
HEDDLE_FUNCTION(equal_to, bool, a == b)
HEDDLE_FUNCTION(not_equal_to, bool, a != b)
HEDDLE_FUNCTION(less, bool, a < b)
HEDDLE_FUNCTION(less_equal, bool, a <= b)
HEDDLE_FUNCTION(greater, bool, a > b)
HEDDLE_FUNCTION(greater_equal, bool, a >= b)
HEDDLE_FUNCTION(logical_and, bool, a && b)
HEDDLE_FUNCTION(logical_or, bool, a || b)
#undef HEDDLE_FUNCTION
template <class T = void> struct identity {
  HEDDLE_METHOD const T &operator()(const T &a) const { return a; }
};
template <class T = void> struct negate {
  HEDDLE_METHOD T operator()(const T &a) const { return -a; }
};
template <class T = void> struct square {
  HEDDLE_METHOD T operator()(const T &a) const { return a * a; }
};
template <class T = void> struct logical_not {
  HEDDLE_METHOD bool operator()(const T &a) const { return !a; }
};
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
template <class T> HEDDLE_BOTH T max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> HEDDLE_BOTH T min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> HEDDLE_BOTH void swap(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}

template <class T> struct complex {
  typedef T value_type;
  T re, im;
  complex() = default;
  HEDDLE_METHOD complex(T re, T im = T()) : re(re), im(im) {}
  template <class U> HEDDLE_METHOD complex(const complex<U> &z) : re(T(z.real())), im(T(z.imag())) {}
  HEDDLE_METHOD T real() const { return re; }
  HEDDLE_METHOD T imag() const { return im; }
  HEDDLE_METHOD void real(T x) { re = x; }
  HEDDLE_METHOD void imag(T y) { im = y; }
  HEDDLE_METHOD complex &operator+=(const complex &z) { return *this = complex(re + z.re, im + z.im); }
  HEDDLE_METHOD complex &operator-=(const complex &z) { return *this = complex(re - z.re, im - z.im); }
  HEDDLE_METHOD complex &operator*=(const complex &z) {
    return *this = complex(re * z.re - im * z.im, re * z.im + im * z.re);
  }
  HEDDLE_METHOD complex &operator/=(const complex &z) {
    T size = z.re * z.re + z.im * z.im;
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
template <class T> HEDDLE_BOTH complex<T> conj(const complex<T> &z) { return complex<T>(z.re, -z.im); }
template <class T> HEDDLE_BOTH T norm(const complex<T> &z) { return z.re * z.re + z.im * z.im; }
template <class T> HEDDLE_BOTH T abs(const complex<T> &z) { return ::sqrt(norm(z)); }
template <class T> HEDDLE_BOTH T arg(const complex<T> &z) { return ::atan2(z.im, z.re); }
template <class T> HEDDLE_BOTH complex<T> polar(const T &size, const T &angle = T()) {
  return complex<T>(size * ::cos(angle), size * ::sin(angle));
}
template <class T> HEDDLE_BOTH complex<T> exp(const complex<T> &z) { return polar(T(::exp(z.re)), z.im); }
template <class T> HEDDLE_BOTH complex<T> log(const complex<T> &z) { return complex<T>(::log(abs(z)), arg(z)); }
template <class T> HEDDLE_BOTH complex<T> sqrt(const complex<T> &z) { return polar(T(::sqrt(abs(z))), T(arg(z) / 2)); }
template <class T, class U> HEDDLE_BOTH complex<T> pow(const complex<T> &z, const U &n) {
  return exp(log(z) * complex<T>(n));
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
template <class T> struct heddle_distribution {
  typedef T result_type;
  __attribute__((host, device)) heddle_distribution(T = T(), T = T(1));
  template <class G> __attribute__((host, device)) T operator()(G &);
};
namespace random {
typedef heddle_engine default_random_engine, minstd_rand, minstd_rand0, taus88, ranlux24, ranlux48;
template <class T = int> using uniform_int_distribution = heddle_distribution<T>;
template <class T = double> using uniform_real_distribution = heddle_distribution<T>;
template <class T = double> using normal_distribution = heddle_distribution<T>;
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
template <int N> struct heddle_place {
  template <class A, class... Rest> HEDDLE_METHOD constexpr auto operator()(const A &a, const Rest &...rest) const {
    if constexpr (N == 0)
      return a;
    else
      return heddle_place<N - 1>{}(rest...);
  }
};
template <class T> struct heddle_held {
  T value;
  template <class... Args> HEDDLE_METHOD constexpr T operator()(const Args &...) const { return value; }
};
template <class Op, class L, class R> struct heddle_pair {
  L l;
  R r;
  template <class... Args> HEDDLE_METHOD constexpr auto operator()(const Args &...args) const {
    return Op{}(l(args...), r(args...));
  }
};
template <class T> struct heddle_lazy {
  static constexpr bool is = false;
  typedef heddle_held<T> Type;
};
template <int N> struct heddle_lazy<heddle_place<N>> {
  static constexpr bool is = true;
  typedef heddle_place<N> Type;
};
template <class Op, class L, class R> struct heddle_lazy<heddle_pair<Op, L, R>> {
  static constexpr bool is = true;
  typedef heddle_pair<Op, L, R> Type;
};
#define HEDDLE_LAZY(op, name)                                                                                          \
  template <class L, class R, class = std::enable_if_t<heddle_lazy<L>::is || heddle_lazy<R>::is>>                      \
  HEDDLE_METHOD constexpr auto operator op(L l, R r) {                                                                 \
    return heddle_pair<name<>, typename heddle_lazy<L>::Type, typename heddle_lazy<R>::Type>{{l}, {r}};                \
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
