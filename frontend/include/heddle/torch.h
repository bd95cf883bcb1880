// PyTorch, as far as a file of kernels has to parse: tensors and what makes them are declarations for host code, what
// device code computes with (short floats, accessors, the loop over a grid) is defined. Of a tensor nothing is known: its
// pointers and sizes are whatever they are. With PyTorch's own headers on the include path these are not read. It stands
// beside the built-in headers and beside a toolkit's.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define HEDDLE_TORCH __attribute__((host, device, always_inline, nodebug)) inline

#define C10_HOST_DEVICE __attribute__((host, device))
#define C10_DEVICE __attribute__((device))
#define C10_HOST __attribute__((host))
#define C10_API
#define C10_EXPORT
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_NOINLINE __attribute__((noinline))
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((unused))
#define C10_LIKELY(e) (__builtin_expect((bool)(e), 1))
#define C10_UNLIKELY(e) (__builtin_expect((bool)(e), 0))
#define C10_WARP_SIZE 32
#define C10_MAX_THREADS_PER_BLOCK(n) ((n) <= 1024 ? (n) : 256)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
// An assertion whether or not `NDEBUG` is defined.
#define CUDA_KERNEL_ASSERT(e) (static_cast<bool>(e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
// Each index below `n`, a grid apart, counted in 64 bits.
#define CUDA_KERNEL_LOOP_TYPE(i, n, _T)                                                                                \
  int64_t heddle_index = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;                                               \
  for (_T i = (_T)heddle_index; heddle_index < (n); heddle_index += blockDim.x * gridDim.x, i = (_T)heddle_index)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

namespace c10 {
namespace detail {
[[noreturn]] void heddle_fails();
[[noreturn]] std::ostream &heddle_fails_with();
}
struct SourceLocation {
  const char *function;
  const char *file;
  uint32_t line;
};
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
  Error(SourceLocation, std::string message) : std::runtime_error(message) {}
};
struct IndexError : Error {
  using Error::Error;
};
struct ValueError : Error {
  using Error::Error;
};
struct TypeError : Error {
  using Error::Error;
};
struct NotImplementedError : Error {
  using Error::Error;
};
template <class... Args> std::string str(const Args &...);

// Short floats: computed with as float, as PyTorch does.
#define HEDDLE_TORCH_FLOAT(Name, Own, to_own, as_bits, from_bits, from_float, to_float)                                \
  struct alignas(2) Name {                                                                                             \
    unsigned short x;                                                                                                  \
    struct from_bits_t {};                                                                                             \
    static constexpr __attribute__((host, device)) from_bits_t from_bits() { return {}; }                              \
    Name() = default;                                                                                                  \
    constexpr __attribute__((host, device)) Name(unsigned short bits, from_bits_t) : x(bits) {}                        \
    HEDDLE_TORCH Name(float v) : x(as_bits(from_float(v))) {}                                                          \
    HEDDLE_TORCH Name(const Own &v) : x(as_bits(v)) {}                                                                 \
    HEDDLE_TORCH operator float() const { return to_float(from_bits##_(x)); }                                          \
    HEDDLE_TORCH to_own operator Own() const { return from_bits##_(x); }                                               \
    static HEDDLE_TORCH Own from_bits##_(unsigned short x) { return __builtin_bit_cast(Own, x); }                      \
    HEDDLE_TORCH Name &operator+=(const Name &o) { return *this = Name((float)*this + (float)o); }                     \
    HEDDLE_TORCH Name &operator-=(const Name &o) { return *this = Name((float)*this - (float)o); }                     \
    HEDDLE_TORCH Name &operator*=(const Name &o) { return *this = Name((float)*this * (float)o); }                     \
    HEDDLE_TORCH Name &operator/=(const Name &o) { return *this = Name((float)*this / (float)o); }                     \
  };                                                                                                                   \
  HEDDLE_TORCH Name operator-(const Name &a) { return Name(-(float)a); }                                               \
  HEDDLE_TORCH_FLOAT_OP(Name, +)                                                                                       \
  HEDDLE_TORCH_FLOAT_OP(Name, -)                                                                                       \
  HEDDLE_TORCH_FLOAT_OP(Name, *)                                                                                       \
  HEDDLE_TORCH_FLOAT_OP(Name, /)                                                                                       \
  HEDDLE_TORCH_FLOAT_ORDER(Name, <)                                                                                    \
  HEDDLE_TORCH_FLOAT_ORDER(Name, >)                                                                                    \
  HEDDLE_TORCH_FLOAT_ORDER(Name, <=)                                                                                   \
  HEDDLE_TORCH_FLOAT_ORDER(Name, >=)                                                                                   \
  HEDDLE_TORCH_FLOAT_ORDER(Name, ==)                                                                                   \
  HEDDLE_TORCH_FLOAT_ORDER(Name, !=)
#define HEDDLE_TORCH_FLOAT_ORDER(Name, op)                                                                             \
  HEDDLE_TORCH bool operator op(const Name &a, const Name &b) { return (float)a op(float) b; }                         \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_arithmetic_v<_T>, bool> operator op(const Name &a, _T b) { \
    return (float)a op b;                                                                                              \
  }                                                                                                                    \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_arithmetic_v<_T>, bool> operator op(_T a, const Name &b) { \
    return a op(float) b;                                                                                              \
  }
// With a number of more bits the result has its type; with an integer it is short.
#define HEDDLE_TORCH_FLOAT_OP(Name, op)                                                                                \
  HEDDLE_TORCH Name operator op(const Name &a, const Name &b) { return Name((float)a op(float) b); }                   \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_floating_point_v<_T>, _T> operator op(const Name &a, _T b) { \
    return (_T)(float)a op b;                                                                                          \
  }                                                                                                                    \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_floating_point_v<_T>, _T> operator op(_T a, const Name &b) { \
    return a op(_T)(float) b;                                                                                          \
  }                                                                                                                    \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_integral_v<_T>, Name> operator op(const Name &a, _T b) {   \
    return Name((float)a op(float) b);                                                                                 \
  }                                                                                                                    \
  template <class _T> HEDDLE_TORCH std::enable_if_t<std::is_integral_v<_T>, Name> operator op(_T a, const Name &b) {   \
    return Name((float)a op(float) b);                                                                                 \
  }
#define HEDDLE_TORCH_BITS(v) __builtin_bit_cast(unsigned short, v)
HEDDLE_TORCH_FLOAT(Half, __half, , HEDDLE_TORCH_BITS, from_bits, __float2half, __half2float)
HEDDLE_TORCH_FLOAT(BFloat16, __nv_bfloat16, explicit, HEDDLE_TORCH_BITS, from_bits, __float2bfloat16, __bfloat162float)
#undef HEDDLE_TORCH_FLOAT
#undef HEDDLE_TORCH_FLOAT_OP
#undef HEDDLE_TORCH_FLOAT_ORDER
#undef HEDDLE_TORCH_BITS

template <class _T> struct complex {
  typedef _T value_type;
  _T real_ = _T(0), imag_ = _T(0);
  complex() = default;
  HEDDLE_TORCH constexpr complex(const _T &re, const _T &im = _T()) : real_(re), imag_(im) {}
  template <class _U>
  HEDDLE_TORCH constexpr explicit complex(const complex<_U> &z) : real_((_T)z.real_), imag_((_T)z.imag_) {}
  HEDDLE_TORCH constexpr _T real() const { return real_; }
  HEDDLE_TORCH constexpr _T imag() const { return imag_; }
  HEDDLE_TORCH void real(_T v) { real_ = v; }
  HEDDLE_TORCH void imag(_T v) { imag_ = v; }
  HEDDLE_TORCH complex &operator+=(const complex &z) { return *this = complex(real_ + z.real_, imag_ + z.imag_); }
  HEDDLE_TORCH complex &operator-=(const complex &z) { return *this = complex(real_ - z.real_, imag_ - z.imag_); }
  HEDDLE_TORCH complex &operator*=(const complex &z) {
    return *this = complex(real_ * z.real_ - imag_ * z.imag_, real_ * z.imag_ + imag_ * z.real_);
  }
  HEDDLE_TORCH complex &operator/=(const complex &z) {
    _T size = z.real_ * z.real_ + z.imag_ * z.imag_;
    return *this = complex((real_ * z.real_ + imag_ * z.imag_) / size, (imag_ * z.real_ - real_ * z.imag_) / size);
  }
  HEDDLE_TORCH friend complex operator+(complex a, const complex &b) { return a += b; }
  HEDDLE_TORCH friend complex operator-(complex a, const complex &b) { return a -= b; }
  HEDDLE_TORCH friend complex operator*(complex a, const complex &b) { return a *= b; }
  HEDDLE_TORCH friend complex operator/(complex a, const complex &b) { return a /= b; }
  HEDDLE_TORCH friend complex operator-(const complex &z) { return complex(-z.real_, -z.imag_); }
  HEDDLE_TORCH friend bool operator==(const complex &a, const complex &b) {
    return a.real_ == b.real_ && a.imag_ == b.imag_;
  }
  HEDDLE_TORCH friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};

// The numbers from one on, up to another.
template <class _I> struct heddle_numbers {
  struct iterator {
    _I at;
    HEDDLE_TORCH constexpr _I operator*() const { return at; }
    HEDDLE_TORCH constexpr iterator &operator++() {
      ++at;
      return *this;
    }
    HEDDLE_TORCH constexpr bool operator!=(const iterator &other) const { return at != other.at; }
  };
  _I from, to;
  HEDDLE_TORCH constexpr iterator begin() const { return {from}; }
  HEDDLE_TORCH constexpr iterator end() const { return {to}; }
};
template <class _I> HEDDLE_TORCH constexpr heddle_numbers<_I> irange(_I to) {
  return {_I(0), to < _I(0) ? _I(0) : to};
}
template <class _A, class _I> HEDDLE_TORCH constexpr heddle_numbers<_I> irange(_A from, _I to) {
  return {_I(from), to < _I(from) ? _I(from) : to};
}

enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32,
  BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz,
  Float8_e4m3fnuz, UInt16, UInt32, UInt64, Undefined, NumOptions
};
constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                     kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                     kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                     kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double, kFloat64 = kDouble,
                     kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                     kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn,
                     kUInt16 = ScalarType::UInt16, kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;
namespace impl {
template <ScalarType> struct heddle_type;
#define HEDDLE_TORCH_TYPE(Name, _T)                                                                                    \
  template <> struct heddle_type<ScalarType::Name> { typedef _T type; };
HEDDLE_TORCH_TYPE(Byte, uint8_t)
HEDDLE_TORCH_TYPE(Char, int8_t)
HEDDLE_TORCH_TYPE(Short, int16_t)
HEDDLE_TORCH_TYPE(Int, int)
HEDDLE_TORCH_TYPE(Long, int64_t)
HEDDLE_TORCH_TYPE(Half, c10::Half)
HEDDLE_TORCH_TYPE(Float, float)
HEDDLE_TORCH_TYPE(Double, double)
HEDDLE_TORCH_TYPE(Bool, bool)
HEDDLE_TORCH_TYPE(BFloat16, c10::BFloat16)
HEDDLE_TORCH_TYPE(UInt16, uint16_t)
HEDDLE_TORCH_TYPE(UInt32, uint32_t)
HEDDLE_TORCH_TYPE(UInt64, uint64_t)
#undef HEDDLE_TORCH_TYPE
template <ScalarType _S> using ScalarTypeToCPPTypeT = typename heddle_type<_S>::type;
} // namespace impl
const char *toString(ScalarType);
size_t elementSize(ScalarType);
std::ostream &operator<<(std::ostream &, ScalarType);
template <class _T> struct CppTypeToScalarType {
  static constexpr ScalarType value = std::is_same_v<_T, float>      ? kFloat
                                      : std::is_same_v<_T, double>   ? kDouble
                                      : std::is_same_v<_T, Half>     ? kHalf
                                      : std::is_same_v<_T, BFloat16> ? kBFloat16
                                      : std::is_same_v<_T, int>      ? kInt
                                      : std::is_same_v<_T, int64_t>  ? kLong
                                      : std::is_same_v<_T, uint8_t>  ? kByte
                                      : std::is_same_v<_T, int8_t>   ? kChar
                                      : std::is_same_v<_T, int16_t>  ? kShort
                                      : std::is_same_v<_T, bool>     ? kBool
                                                                    : ScalarType::Undefined;
};

enum class DeviceType : int8_t { CPU, CUDA, HIP, Meta };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kMeta = DeviceType::Meta;
typedef int8_t DeviceIndex;
struct Device {
  Device(DeviceType, DeviceIndex = -1);
  Device(const std::string &);
  DeviceType type() const;
  DeviceIndex index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};
std::ostream &operator<<(std::ostream &, const Device &);
enum class Layout : int8_t { Strided, Sparse };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class DispatchKey : uint16_t { CPU, CUDA, Autograd, Meta, CompositeExplicitAutograd };

// Changes wherever a tensor may be resized in place: copies of such a tensor have other sizes afterwards as well. The
// functions of other files may change it, too: what they hold may be a copy.
extern int heddle_resized;
// What the host says of the sizes and strides of tensors, which holds until a tensor may be resized. There is a number
// for the sizes of each. Of a tensor that another source gives nothing is known.
struct heddle_shape {
  // One of which nothing is known.
  static const heddle_shape *any();
  // One with sizes that are those of this number now, in dimensions that are counted from either end.
  static const heddle_shape *with(int64_t number) {
    const heddle_shape *made = any();
    same<5>(sizes(made), number);
    return made;
  }
  // That of a tensor that is made with these sizes: the last index counts fastest, and what is empty counts as one
  // (`c10::TensorImpl`, `empty_tensor_restride`), unless the order is said. Of lists that are longer than six the first
  // ones are left out.
  static const heddle_shape *of(std::initializer_list<int64_t> list, bool is_in_order) {
    const heddle_shape *made = any();
    last<1>(made, list.begin(), list.size(), is_in_order, 1);
    return made;
  }
  static int64_t sizes(const heddle_shape *) __attribute__((const));
  static int64_t size(int64_t number, int64_t dimension, int resized = heddle_resized) __attribute__((const));
  static int64_t stride(const heddle_shape *, int64_t dimension, int resized = heddle_resized) __attribute__((const));

private:
  template <int _N>
  static void last(const heddle_shape *made, const int64_t *list, size_t count, bool is_in_order, int64_t step) {
    if (count < _N) return;
    const int64_t own = list[count - _N];
    is(size(sizes(made), count - _N), own), is(size(sizes(made), -_N), own);
    if (is_in_order) is(stride(made, count - _N), step), is(stride(made, -_N), step);
    if constexpr (_N < 6) last<_N + 1>(made, list, count, is_in_order, step * (own > 1 ? own : 1));
  }
  template <int _N> static void same(int64_t own, int64_t number) {
    is(size(own, _N), size(number, _N));
    if constexpr (_N > -6) same<_N - 1>(own, number);
  }
  // What holds, as a check that does not fail.
  static void is(int64_t one, int64_t other) {
    if (one != other) detail::heddle_fails();
  }
};

template <class _T> class ArrayRef {
public:
  ArrayRef();
  ArrayRef(const _T &);
  ArrayRef(const _T *, size_t);
  ArrayRef(const std::initializer_list<_T> &);
  template <class _A> ArrayRef(const std::vector<_T, _A> &);
  size_t size() const;
  bool empty() const;
  const _T *data() const;
  const _T *begin() const;
  const _T *end() const;
  const _T &operator[](size_t) const;
  const _T &back() const;
  const _T &front() const;
  std::vector<_T> vec() const;
  ArrayRef slice(size_t, size_t) const;
  bool operator==(ArrayRef) const;
  bool operator!=(ArrayRef) const;
  static ArrayRef heddle_of(int64_t sizes) {
    ArrayRef made;
    made.heddle_number = sizes;
    return made;
  }
  int64_t heddle_sizes() const { return heddle_number; }

private:
  // Of the sizes of a tensor: which.
  int64_t heddle_number;
};
template <class _T> std::ostream &operator<<(std::ostream &, ArrayRef<_T>);
typedef ArrayRef<int64_t> IntArrayRef;
template <class _T, unsigned = 0> using SmallVector = std::vector<_T>;
template <class _T> using optional = std::optional<_T>;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
template <class _T> using intrusive_ptr = std::shared_ptr<_T>;

struct Scalar {
  Scalar();
  template <class _T> Scalar(_T);
  template <class _T> _T to() const;
  double toDouble() const;
  float toFloat() const;
  int64_t toLong() const;
  int toInt() const;
};
struct TypeMeta {
  size_t itemsize() const;
  const char *name() const;
  bool operator==(ScalarType) const;
  bool operator!=(ScalarType) const;
  bool operator==(const TypeMeta &) const;
  bool operator!=(const TypeMeta &) const;
  operator ScalarType() const;
};
ScalarType typeMetaToScalarType(TypeMeta);
std::ostream &operator<<(std::ostream &, TypeMeta);
struct TensorOptions {
  TensorOptions() {}
  TensorOptions(ScalarType) {}
  TensorOptions(TypeMeta) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  TensorOptions(Layout) {}
  TensorOptions(MemoryFormat) : heddle_has_format(true) {}
  TensorOptions dtype(ScalarType) const { return *this; }
  TensorOptions dtype(TypeMeta) const { return *this; }
  TypeMeta dtype() const;
  TensorOptions device(Device) const { return *this; }
  TensorOptions device(DeviceType, DeviceIndex = -1) const { return *this; }
  Device device() const;
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions requires_grad(bool) const { return *this; }
  TensorOptions pinned_memory(bool) const { return *this; }
  TensorOptions memory_format(MemoryFormat format) const { return format; }
  // Whether they say in which order the elements of a tensor lie.
  bool heddle_has_format = false;
};
std::ostream &operator<<(std::ostream &, const TensorOptions &);

struct DeviceGuard {
  explicit DeviceGuard(Device);
  ~DeviceGuard();
};
struct OptionalDeviceGuard {
  OptionalDeviceGuard();
  explicit OptionalDeviceGuard(Device);
  explicit OptionalDeviceGuard(std::optional<Device>);
  ~OptionalDeviceGuard();
};
// What `type()` gave before there were scalar types.
struct DeprecatedTypeProperties {
  ScalarType scalarType() const;
  bool is_cuda() const;
  bool is_sparse() const;
  std::string toString() const;
  operator ScalarType() const;
  // As in `at::zeros(sizes, x.type())`.
  operator TensorOptions() const { return {}; }
};

// Functions that are asked and change nothing; those that choose a device or a stream touch no tensor.
#define HEDDLE_TORCH_QUERY __attribute__((pure))
namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const HEDDLE_TORCH_QUERY;
  cudaStream_t stream() const HEDDLE_TORCH_QUERY;
  void synchronize() const {}
  DeviceIndex device_index() const HEDDLE_TORCH_QUERY;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1) HEDDLE_TORCH_QUERY;
CUDAStream getDefaultCUDAStream(DeviceIndex = -1) HEDDLE_TORCH_QUERY;
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
inline void setCurrentCUDAStream(CUDAStream) {}
DeviceIndex current_device() HEDDLE_TORCH_QUERY;
inline void set_device(DeviceIndex) {}
int MaybeSetDevice(int);
DeviceIndex MaybeExchangeDevice(DeviceIndex);
DeviceIndex ExchangeDevice(DeviceIndex);
inline void device_synchronize() {}
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  explicit CUDAGuard(Device) {}
  ~CUDAGuard() {}
  void set_index(DeviceIndex) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  explicit OptionalCUDAGuard(std::optional<Device>) {}
  explicit OptionalCUDAGuard(DeviceIndex) {}
  ~OptionalCUDAGuard() {}
  void set_index(DeviceIndex) {}
  void set_device(Device) {}
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream) {}
  ~CUDAStreamGuard() {}
};
namespace CUDACachingAllocator {
void *raw_alloc(size_t);
void raw_delete(void *);
void emptyCache();
} // namespace CUDACachingAllocator
namespace compat {
#define HEDDLE_TORCH_SAME(name)                                                                                        \
  HEDDLE_TORCH float name(float v) { return ::name##f(v); }                                                            \
  HEDDLE_TORCH double name(double v) { return ::name(v); }
HEDDLE_TORCH_SAME(exp)
HEDDLE_TORCH_SAME(log)
HEDDLE_TORCH_SAME(sqrt)
HEDDLE_TORCH_SAME(tanh)
HEDDLE_TORCH_SAME(ceil)
HEDDLE_TORCH_SAME(floor)
HEDDLE_TORCH_SAME(erf)
#undef HEDDLE_TORCH_SAME
} // namespace compat
} // namespace cuda
} // namespace c10

namespace std {
#define HEDDLE_TORCH_LIMITS(Name, low, high, least, gap)                                                               \
  template <> class numeric_limits<c10::Name> {                                                                        \
  public:                                                                                                              \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true;            \
    static constexpr __attribute__((host, device)) c10::Name lowest() { return {low, c10::Name::from_bits()}; }        \
    static constexpr __attribute__((host, device)) c10::Name max() { return {high, c10::Name::from_bits()}; }          \
    static constexpr __attribute__((host, device)) c10::Name min() { return {least, c10::Name::from_bits()}; }         \
    static constexpr __attribute__((host, device)) c10::Name epsilon() { return {gap, c10::Name::from_bits()}; }       \
    static constexpr __attribute__((host, device)) c10::Name infinity() {                                              \
      return {(unsigned short)(high + 1), c10::Name::from_bits()};                                                     \
    }                                                                                                                  \
  };
HEDDLE_TORCH_LIMITS(Half, 0xfbff, 0x7bff, 0x0400, 0x1400)
HEDDLE_TORCH_LIMITS(BFloat16, 0xff7f, 0x7f7f, 0x0080, 0x3c00)
#undef HEDDLE_TORCH_LIMITS
} // namespace std

namespace at {
using namespace c10;
using c10::BFloat16;
using c10::Half;

template <class _T> struct DefaultPtrTraits { typedef _T *PtrType; };
template <class _T> struct RestrictPtrTraits { typedef _T *__restrict__ PtrType; };
// A view of `N` dimensions, whose sizes and strides lie elsewhere.
template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits, class _I = int64_t> class TensorAccessor {
public:
  typedef typename Traits<_T>::PtrType PtrType;
  HEDDLE_TORCH TensorAccessor(PtrType data, const _I *sizes, const _I *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  HEDDLE_TORCH _I size(_I n) const { return sizes_[n]; }
  HEDDLE_TORCH _I stride(_I n) const { return strides_[n]; }
  HEDDLE_TORCH PtrType data() const { return data_; }
  HEDDLE_TORCH decltype(auto) operator[](_I n) const {
    if constexpr (_N == 1)
      return (_T &)data_[strides_[0] * n];
    else
      return TensorAccessor<_T, _N - 1, Traits, _I>(data_ + strides_[0] * n, sizes_ + 1, strides_ + 1);
  }

private:
  PtrType data_;
  const _I *sizes_, *strides_;
};
// The same with its sizes and strides, as a kernel is given it. The name of these strides is known to the checks: where a
// launch is read, they are taken for granted.
template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits, class _I = int64_t>
class GenericPackedTensorAccessor {
public:
  typedef typename Traits<_T>::PtrType PtrType;
  HEDDLE_TORCH _I size(_I n) const { return sizes_[n]; }
#ifdef __CUDA_ARCH__
  HEDDLE_TORCH _I stride(_I n) const { return contiguous_strides_[n]; }
#else
  // What the host itself reads is told by nobody.
  HEDDLE_TORCH _I stride(_I n) const;
#endif
  HEDDLE_TORCH PtrType data() const { return data_; }
  HEDDLE_TORCH decltype(auto) operator[](_I n) const {
    return TensorAccessor<_T, _N, Traits, _I>(data_, sizes_, contiguous_strides_)[n];
  }

  // Of a tensor whose elements lie one after the other, which each proof says that looks at the strides. Others may
  // have two at one place (`expand`, `as_strided`).
  template <class _Tensor> HEDDLE_TORCH static GenericPackedTensorAccessor heddle_of(const _Tensor &tensor) {
    GenericPackedTensorAccessor made;
    made.data_ = tensor.template data_ptr<_T>();
    made.template fill<_N - 1>(tensor, 1);
    return made;
  }

private:
  template <size_t _D, class _Tensor> HEDDLE_TORCH void fill(const _Tensor &tensor, _I stride) {
    sizes_[_D] = (_I)tensor.size(_D);
    contiguous_strides_[_D] = stride;
    if constexpr (_D > 0)
      fill<_D - 1>(tensor, stride * sizes_[_D]);
  }

  PtrType data_;
  _I sizes_[_N], contiguous_strides_[_N];
};
template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<_T, _N, Traits, int32_t>;
template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<_T, _N, Traits, int64_t>;
template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits, class _I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<_T, _N, Traits, _I>;

class Tensor;
// A number, a range, a tensor, or none: `index({Slice(), 0, None})`.
struct TensorIndex {
  template <class _T> TensorIndex(const _T &);
  TensorIndex(int64_t);
};

class Tensor {
public:
  Tensor() : heddle_memory(nullptr), heddle_own(nullptr) {}
  // One that has memory of its own.
  static Tensor heddle_at(void *memory) { return Tensor(memory, heddle_shape::any()); }
  static Tensor heddle_new(const heddle_shape *shape) { return Tensor(heddle_new_memory(), shape); }
  // A shape with the sizes of this one.
  const heddle_shape *heddle_as() const { return heddle_shape::with(heddle_sizes()); }
  int64_t heddle_sizes() const { return heddle_shape::sizes(heddle_own); }
  bool defined() const HEDDLE_TORCH_QUERY;
  int64_t dim() const HEDDLE_TORCH_QUERY;
  int64_t ndimension() const HEDDLE_TORCH_QUERY;
  int64_t size(int64_t n) const { return heddle_shape::size(heddle_sizes(), n); }
  int64_t stride(int64_t n) const { return heddle_shape::stride(heddle_own, n); }
  IntArrayRef sizes() const { return IntArrayRef::heddle_of(heddle_sizes()); }
  IntArrayRef strides() const HEDDLE_TORCH_QUERY;
  int64_t numel() const HEDDLE_TORCH_QUERY;
  size_t nbytes() const HEDDLE_TORCH_QUERY;
  int64_t itemsize() const HEDDLE_TORCH_QUERY;
  int64_t element_size() const HEDDLE_TORCH_QUERY;
  int64_t storage_offset() const HEDDLE_TORCH_QUERY;
  ScalarType scalar_type() const HEDDLE_TORCH_QUERY;
  DeprecatedTypeProperties type() const HEDDLE_TORCH_QUERY;
  TypeMeta dtype() const HEDDLE_TORCH_QUERY;
  TensorOptions options() const { return {}; }
  Device device() const HEDDLE_TORCH_QUERY;
  DeviceIndex get_device() const HEDDLE_TORCH_QUERY;
  Layout layout() const HEDDLE_TORCH_QUERY;
  bool is_cuda() const HEDDLE_TORCH_QUERY;
  bool is_cpu() const HEDDLE_TORCH_QUERY;
  bool is_sparse() const HEDDLE_TORCH_QUERY;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const HEDDLE_TORCH_QUERY;
  bool is_floating_point() const HEDDLE_TORCH_QUERY;
  bool is_same(const Tensor &) const HEDDLE_TORCH_QUERY;
  bool requires_grad() const HEDDLE_TORCH_QUERY;
  void reset();
  std::string toString() const;
  // Copies of a tensor have its memory.
  void *data_ptr() const { return heddle_memory; }
  void *mutable_data_ptr() const { return heddle_memory; }
  const void *const_data_ptr() const { return heddle_memory; }
  template <class _T> _T *data_ptr() const { return (_T *)heddle_memory; }
  template <class _T> _T *mutable_data_ptr() const { return (_T *)heddle_memory; }
  template <class _T> const _T *const_data_ptr() const { return (const _T *)heddle_memory; }
  template <class _T> _T *data() const { return (_T *)heddle_memory; }
  Tensor data() const { return *this; }
  template <class _T> _T item() const;
  Scalar item() const;
  template <class _T, size_t _N> TensorAccessor<_T, _N> accessor() const;
#define HEDDLE_TORCH_PACKED(name, _I)                                                                                  \
  template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits>                                     \
  GenericPackedTensorAccessor<_T, _N, Traits, _I> name() const {                                                       \
    return GenericPackedTensorAccessor<_T, _N, Traits, _I>::heddle_of(*this);                                          \
  }
  HEDDLE_TORCH_PACKED(packed_accessor32, int32_t)
  HEDDLE_TORCH_PACKED(packed_accessor64, int64_t)
#undef HEDDLE_TORCH_PACKED
  template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits, class _I = int64_t>
  GenericPackedTensorAccessor<_T, _N, Traits, _I> packed_accessor() const {
    return GenericPackedTensorAccessor<_T, _N, Traits, _I>::heddle_of(*this);
  }
  template <class _T, size_t _N, template <class> class Traits = DefaultPtrTraits, class _I = int64_t>
  GenericPackedTensorAccessor<_T, _N, Traits, _I> generic_packed_accessor() const {
    return GenericPackedTensorAccessor<_T, _N, Traits, _I>::heddle_of(*this);
  }

  // A tensor that has the memory of this one, or one of its own.
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const { return heddle_copied(heddle_as()); }
  Tensor clone() const { return heddle_new(heddle_as()); }
  Tensor detach() const { return *this; }
  Tensor cpu() const { return heddle_copied(heddle_as()); }
  Tensor cuda() const { return heddle_copied(heddle_as()); }
  Tensor t() const { return heddle_view(); }
  Tensor flatten(int64_t = 0, int64_t = -1) const { return heddle_copied(heddle_shape::any()); }
  Tensor view(IntArrayRef) const { return heddle_view(); }
  Tensor view(ScalarType) const { return heddle_view(); }
  Tensor view_as(const Tensor &) const { return heddle_view(); }
  Tensor reshape(IntArrayRef) const { return heddle_copied(heddle_shape::any()); }
  Tensor permute(IntArrayRef) const { return heddle_view(); }
  Tensor expand(IntArrayRef) const { return heddle_view(); }
  Tensor expand_as(const Tensor &) const { return heddle_view(); }
  Tensor repeat(IntArrayRef) const;
  Tensor resize_(IntArrayRef) const {
    ++heddle_resized;
    return heddle_copied(heddle_own);
  }
  Tensor new_empty(IntArrayRef, TensorOptions = {}) const;
  Tensor new_zeros(IntArrayRef, TensorOptions = {}) const;
  Tensor new_empty(std::initializer_list<int64_t> sizes, TensorOptions options = {}) const {
    return heddle_new(heddle_shape::of(sizes, !options.heddle_has_format));
  }
  Tensor new_zeros(std::initializer_list<int64_t> sizes, TensorOptions options = {}) const {
    return heddle_new(heddle_shape::of(sizes, !options.heddle_has_format));
  }
  Tensor as_strided(IntArrayRef, IntArrayRef) const;
  Tensor transpose(int64_t, int64_t) const { return heddle_view(); }
  Tensor squeeze() const { return heddle_view(); }
  Tensor squeeze(int64_t) const { return heddle_view(); }
  Tensor unsqueeze(int64_t) const { return heddle_view(); }
  Tensor unsqueeze_(int64_t) const {
    ++heddle_resized;
    return heddle_view();
  }
  // A part of the memory of this one, which starts at some place of it.
  Tensor select(int64_t, int64_t) const { return heddle_part(); }
  Tensor slice(int64_t, int64_t = 0, int64_t = 0, int64_t = 1) const { return heddle_part(); }
  Tensor narrow(int64_t, int64_t, int64_t) const { return heddle_part(); }
  Tensor index_select(int64_t, const Tensor &) const;
  Tensor operator[](int64_t) const { return heddle_part(); }
  Tensor operator[](const Tensor &) const { return heddle_part(); }
  // Fills a part, as in `t[0] = 1`.
  Tensor &operator=(Scalar) && { return *this; }
  Tensor &zero_() const { return heddle_self(); }
  Tensor &fill_(Scalar) const { return heddle_self(); }
  Tensor &copy_(const Tensor &, bool = false) const { return heddle_self(); }
  Tensor &set_requires_grad(bool) const { return heddle_self(); }
  Tensor index(std::initializer_list<TensorIndex>) const {
    return heddle_is_other() ? heddle_new(heddle_shape::any()) : heddle_part();
  }
  Tensor &index_put_(std::initializer_list<TensorIndex>, const Tensor &) const;
  Tensor &index_put_(std::initializer_list<TensorIndex>, Scalar) const;
  template <class... _A> Tensor to(_A &&...) const { return heddle_copied(heddle_as()); }
  template <class... _A> Tensor toType(_A &&...) const;
  // Along a dimension: the values, and where they are. Of all of it, or of two tensors: one tensor.
#define HEDDLE_TORCH_EXTREME(name)                                                                                     \
  Tensor name() const;                                                                                                 \
  Tensor name(const Tensor &) const;                                                                                   \
  std::tuple<Tensor, Tensor> name(int64_t, bool = false) const;
  HEDDLE_TORCH_EXTREME(max) HEDDLE_TORCH_EXTREME(min) HEDDLE_TORCH_EXTREME(median)
#undef HEDDLE_TORCH_EXTREME
#define HEDDLE_TORCH_ORDERED(name) template <class... _A> std::tuple<Tensor, Tensor> name(_A &&...) const;
  HEDDLE_TORCH_ORDERED(sort) HEDDLE_TORCH_ORDERED(topk) HEDDLE_TORCH_ORDERED(kthvalue) HEDDLE_TORCH_ORDERED(mode)
  HEDDLE_TORCH_ORDERED(cummax) HEDDLE_TORCH_ORDERED(cummin)
#undef HEDDLE_TORCH_ORDERED
#define HEDDLE_TORCH_METHODS(method)                                                                                   \
  method(sum) method(mean) method(amax) method(amin) method(prod) method(argmax)               \
  method(argmin) method(all) method(any) method(norm) method(matmul) method(mm) method(bmm) method(dot) method(add)    \
  method(sub) method(mul) method(div) method(pow) method(abs) \
  method(neg) method(exp) method(log) method(sqrt) method(square) method(floor) method(ceil) method(round)             \
  method(clamp) method(clamp_min) method(clamp_max) method(sigmoid) method(tanh) method(relu)           \
  method(cumsum) method(cumprod) method(argsort) method(eq) method(ne) method(lt) method(le) method(gt)   \
  method(ge) method(masked_fill) method(masked_select) method(nonzero) method(index)              \
  method(gather)       \
  method(repeat_interleave) method(flip) method(roll) method(movedim) method(swapaxes)          \
  method(unflatten) method(type_as) method(bitwise_and) method(logical_not) method(diag)                               \
  method(triu) method(tril) method(pin_memory) method(new_full) method(new_ones)           \
  method(bernoulli) method(log2) method(log10) method(sin)         \
  method(cos) method(rsqrt) method(reciprocal) method(sign) method(floor_divide) method(remainder) method(fmod)        \
  method(addmm) method(unbind) method(split) method(chunk)               \
  method(std) method(var) method(softmax) method(log_softmax) method(unfold) method(rot90)              \
  method(logical_and) method(logical_or) method(logical_xor) method(bitwise_or) method(bitwise_not) method(outer)      \
  method(count_nonzero) method(isnan) method(isinf) method(scatter) method(scatter_add) method(index_add)              \
  method(take) method(addcmul) method(addcdiv) method(lerp)   \
 
#define HEDDLE_TORCH_METHOD(name) template <class... _A> Tensor name(_A &&...) const;
  HEDDLE_TORCH_METHODS(HEDDLE_TORCH_METHOD)
#undef HEDDLE_TORCH_METHOD
#undef HEDDLE_TORCH_METHODS
// These change the tensor, and give it back.
#define HEDDLE_TORCH_CHANGES(method) \
  method(add_) method(sub_) method(mul_) method(div_) method(true_divide_) method(floor_divide_) method(clamp_) \
  method(masked_fill_) method(index_put_) method(index_fill_) method(index_add_) method(scatter_) \
  method(scatter_add_) method(fill_diagonal_) method(random_) method(bernoulli_) method(uniform_) \
  method(normal_) method(addmm_) method(matmul_) method(index_copy_) method(masked_scatter_) method(exp_) \
  method(sqrt_) method(neg_) method(abs_) method(pow_) method(relu_) method(tanh_) method(sigmoid_) \
  method(round_) method(cumsum_) method(cumprod_) method(ceil_) method(floor_) method(log_) method(rsqrt_) \
  method(clamp_min_) method(clamp_max_) method(addcmul_) method(addcdiv_) method(lerp_) method(reciprocal_) \
  method(square_) method(fmod_) method(remainder_) method(triu_) method(tril_)
#define HEDDLE_TORCH_CHANGE(name) template <class... _A> Tensor name(_A &&...) const { return *this; }
  HEDDLE_TORCH_CHANGES(HEDDLE_TORCH_CHANGE)
#undef HEDDLE_TORCH_CHANGE
#undef HEDDLE_TORCH_CHANGES
  Tensor &operator+=(const Tensor &) { return *this; }
  Tensor &operator-=(const Tensor &) { return *this; }
  Tensor &operator*=(const Tensor &) { return *this; }
  Tensor &operator*=(Scalar) { return *this; }
  Tensor &operator/=(Scalar) { return *this; }

private:
  Tensor(void *memory, const heddle_shape *shape) : heddle_memory(memory), heddle_own(shape) {}
  // The memory of this one, in another shape.
  Tensor heddle_view() const { return Tensor(heddle_memory, heddle_shape::any()); }
  Tensor heddle_copied(const heddle_shape *shape) const {
    return Tensor(heddle_is_other() ? heddle_new_memory() : heddle_memory, shape);
  }
  Tensor heddle_part() const {
    return Tensor(static_cast<char *>(heddle_memory) + heddle_place(), heddle_shape::any());
  }
  Tensor &heddle_self() const { return const_cast<Tensor &>(*this); }
  bool heddle_is_other() const;
  // Where in the memory of a tensor a part of it starts.
  static int64_t heddle_place();
  static void *heddle_new_memory() __attribute__((malloc));
  void *heddle_memory;
  const heddle_shape *heddle_own;
};
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, Scalar);
Tensor operator/(const Tensor &, const Tensor &);
Tensor operator/(const Tensor &, Scalar);
#define HEDDLE_TORCH_ORDER(op)                                                                                         \
  Tensor operator op(const Tensor &, const Tensor &);                                                                  \
  Tensor operator op(const Tensor &, Scalar);
HEDDLE_TORCH_ORDER(==)
HEDDLE_TORCH_ORDER(!=)
HEDDLE_TORCH_ORDER(<)
HEDDLE_TORCH_ORDER(<=)
HEDDLE_TORCH_ORDER(>)
HEDDLE_TORCH_ORDER(>=)
HEDDLE_TORCH_ORDER(&)
HEDDLE_TORCH_ORDER(|)
#undef HEDDLE_TORCH_ORDER
Tensor operator+(const Tensor &, Scalar);
Tensor operator-(const Tensor &, Scalar);
Tensor operator-(const Tensor &);
Tensor operator+(Scalar, const Tensor &);
Tensor operator-(Scalar, const Tensor &);
Tensor operator*(Scalar, const Tensor &);
Tensor operator/(Scalar, const Tensor &);
std::ostream &operator<<(std::ostream &, const Tensor &);
typedef ArrayRef<Tensor> TensorList;
std::optional<Device> device_of(const Tensor &) HEDDLE_TORCH_QUERY;
// What a function is given, for its messages.
typedef const char *CheckedFrom;
struct TensorArg {
  const Tensor &tensor;
  const char *name;
  int pos;
  TensorArg(const Tensor &given, const char *of, int at) : tensor(given), name(of), pos(at) {}
  const Tensor *operator->() const { return &tensor; }
  const Tensor &operator*() const { return tensor; }
};
#define HEDDLE_TORCH_CHECKED(name)                                                                                     \
  void name(CheckedFrom, std::initializer_list<TensorArg>);                                                            \
  void name(CheckedFrom, const TensorArg &, const TensorArg &);
HEDDLE_TORCH_CHECKED(checkAllSameGPU)
HEDDLE_TORCH_CHECKED(checkAllSameType)
HEDDLE_TORCH_CHECKED(checkAllContiguous)
HEDDLE_TORCH_CHECKED(checkAllDefined)
HEDDLE_TORCH_CHECKED(checkAllSameNumel)
HEDDLE_TORCH_CHECKED(checkAllSameSize)
#undef HEDDLE_TORCH_CHECKED
void checkContiguous(CheckedFrom, const TensorArg &);
void checkDim(CheckedFrom, const TensorArg &, int64_t);
void checkSameGPU(CheckedFrom, const TensorArg &, const TensorArg &);
void checkSameType(CheckedFrom, const TensorArg &, const TensorArg &);
void checkScalarType(CheckedFrom, const TensorArg &, ScalarType);
// What makes a tensor of some sizes. Where they stand in braces they are known.
#define HEDDLE_TORCH_MADE(name, ...)                                                                                   \
  inline Tensor name(IntArrayRef sizes, ##__VA_ARGS__, TensorOptions = {}) {                                           \
    return Tensor::heddle_new(heddle_shape::with(sizes.heddle_sizes()));                                               \
  }                                                                                                                    \
  inline Tensor name(std::initializer_list<int64_t> sizes, ##__VA_ARGS__, TensorOptions options = {}) {                \
    return Tensor::heddle_new(heddle_shape::of(sizes, !options.heddle_has_format));                                    \
  }
HEDDLE_TORCH_MADE(empty)
HEDDLE_TORCH_MADE(zeros)
HEDDLE_TORCH_MADE(ones)
HEDDLE_TORCH_MADE(rand)
HEDDLE_TORCH_MADE(randn)
HEDDLE_TORCH_MADE(full, Scalar)
#undef HEDDLE_TORCH_MADE
Tensor empty_strided(IntArrayRef, IntArrayRef, TensorOptions = {});
// What makes one of the sizes of another.
inline Tensor empty_like(const Tensor &like, TensorOptions = {}) { return Tensor::heddle_new(like.heddle_as()); }
inline Tensor zeros_like(const Tensor &like, TensorOptions = {}) { return Tensor::heddle_new(like.heddle_as()); }
inline Tensor ones_like(const Tensor &like, TensorOptions = {}) { return Tensor::heddle_new(like.heddle_as()); }
inline Tensor full_like(const Tensor &like, Scalar, TensorOptions = {}) { return Tensor::heddle_new(like.heddle_as()); }
inline Tensor from_blob(void *memory, IntArrayRef, TensorOptions = {}) { return Tensor::heddle_at(memory); }
Tensor arange(Scalar, TensorOptions = {});
Tensor arange(Scalar, Scalar, TensorOptions = {});
Tensor arange(Scalar, Scalar, Scalar, TensorOptions = {});
Tensor linspace(Scalar, Scalar, int64_t, TensorOptions = {});
Tensor eye(int64_t, TensorOptions = {});
Tensor randint(Scalar, IntArrayRef, TensorOptions = {});
Tensor randint(Scalar, Scalar, IntArrayRef, TensorOptions = {});
Tensor scalar_tensor(Scalar, TensorOptions = {});
Tensor empty(IntArrayRef, TensorOptions, std::optional<MemoryFormat>);
std::tuple<Tensor, Tensor> _unique(const Tensor &, bool = true, bool = false);
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor &, bool = false, bool = false);
Tensor tensor(std::initializer_list<double>, TensorOptions = {});
Tensor cat(TensorList, int64_t = 0);
Tensor stack(TensorList, int64_t = 0);
Tensor matmul(const Tensor &, const Tensor &);
Tensor mm(const Tensor &, const Tensor &);
Tensor &mm_out(Tensor &, const Tensor &, const Tensor &);
template <class... _A> Tensor &addmm_out(Tensor &, const Tensor &, const Tensor &, const Tensor &, _A &&...);
inline Tensor slice(const Tensor &of, int64_t dim = 0, int64_t start = 0, int64_t end = 1, int64_t step = 1) {
  return of.slice(dim, start, end, step);
}
Tensor sum(const Tensor &);
Tensor sigmoid(const Tensor &);
Tensor sqrt(const Tensor &);
Tensor exp(const Tensor &);
#define HEDDLE_TORCH_EXTREME(name)                                                                                     \
  Tensor name(const Tensor &);                                                                                         \
  Tensor name(const Tensor &, const Tensor &);                                                                         \
  std::tuple<Tensor, Tensor> name(const Tensor &, int64_t, bool = false);
HEDDLE_TORCH_EXTREME(max) HEDDLE_TORCH_EXTREME(min) HEDDLE_TORCH_EXTREME(median)
#undef HEDDLE_TORCH_EXTREME
#define HEDDLE_TORCH_FUNCTION(name) template <class... _A> Tensor name(const Tensor &, _A &&...);
HEDDLE_TORCH_FUNCTION(prod) HEDDLE_TORCH_FUNCTION(mean) HEDDLE_TORCH_FUNCTION(abs) HEDDLE_TORCH_FUNCTION(log)
HEDDLE_TORCH_FUNCTION(pow) HEDDLE_TORCH_FUNCTION(bmm) HEDDLE_TORCH_FUNCTION(dot) HEDDLE_TORCH_FUNCTION(where)
HEDDLE_TORCH_FUNCTION(nonzero) HEDDLE_TORCH_FUNCTION(cumsum) HEDDLE_TORCH_FUNCTION(cumprod) HEDDLE_TORCH_FUNCTION(argmax)
HEDDLE_TORCH_FUNCTION(argmin) HEDDLE_TORCH_FUNCTION(argsort) HEDDLE_TORCH_FUNCTION(clamp) HEDDLE_TORCH_FUNCTION(relu)
HEDDLE_TORCH_FUNCTION(tanh) HEDDLE_TORCH_FUNCTION(floor) HEDDLE_TORCH_FUNCTION(ceil) HEDDLE_TORCH_FUNCTION(round)
HEDDLE_TORCH_FUNCTION(sin) HEDDLE_TORCH_FUNCTION(cos) HEDDLE_TORCH_FUNCTION(flip) HEDDLE_TORCH_FUNCTION(roll)
HEDDLE_TORCH_FUNCTION(outer) HEDDLE_TORCH_FUNCTION(all) HEDDLE_TORCH_FUNCTION(any) HEDDLE_TORCH_FUNCTION(eq)
HEDDLE_TORCH_FUNCTION(ne) HEDDLE_TORCH_FUNCTION(lt) HEDDLE_TORCH_FUNCTION(le) HEDDLE_TORCH_FUNCTION(gt)
HEDDLE_TORCH_FUNCTION(ge) HEDDLE_TORCH_FUNCTION(addmm) HEDDLE_TORCH_FUNCTION(linear) HEDDLE_TORCH_FUNCTION(softmax)
HEDDLE_TORCH_FUNCTION(index_select) HEDDLE_TORCH_FUNCTION(gather) HEDDLE_TORCH_FUNCTION(masked_select)
HEDDLE_TORCH_FUNCTION(norm) HEDDLE_TORCH_FUNCTION(cross) HEDDLE_TORCH_FUNCTION(bincount) HEDDLE_TORCH_FUNCTION(isnan)
HEDDLE_TORCH_FUNCTION(repeat_interleave) HEDDLE_TORCH_FUNCTION(logical_and) HEDDLE_TORCH_FUNCTION(logical_or)
HEDDLE_TORCH_FUNCTION(logical_not) HEDDLE_TORCH_FUNCTION(rand_like) HEDDLE_TORCH_FUNCTION(randn_like)
HEDDLE_TORCH_FUNCTION(searchsorted) HEDDLE_TORCH_FUNCTION(transpose) HEDDLE_TORCH_FUNCTION(squeeze)
HEDDLE_TORCH_FUNCTION(unsqueeze) HEDDLE_TORCH_FUNCTION(add) HEDDLE_TORCH_FUNCTION(sub) HEDDLE_TORCH_FUNCTION(mul)
HEDDLE_TORCH_FUNCTION(div) HEDDLE_TORCH_FUNCTION(square)
HEDDLE_TORCH_FUNCTION(bernoulli) HEDDLE_TORCH_FUNCTION(tril) HEDDLE_TORCH_FUNCTION(triu) HEDDLE_TORCH_FUNCTION(diag)
#undef HEDDLE_TORCH_FUNCTION
inline TensorOptions dtype(ScalarType) { return {}; }
inline TensorOptions device(Device) { return {}; }
inline ScalarType scalar_type(ScalarType it) { return it; }
inline ScalarType scalar_type(const DeprecatedTypeProperties &it) { return it.scalarType(); }
inline ScalarType scalar_type(const Tensor &it) { return it.scalar_type(); }

// What sums of a type are made in.
template <class _T> struct OpMathType { typedef _T type; };
template <> struct OpMathType<Half> { typedef float type; };
template <> struct OpMathType<BFloat16> { typedef float type; };
template <class _T> using opmath_type = typename OpMathType<_T>::type;
template <class _T, bool> struct AccumulateType {
  typedef std::conditional_t<std::is_integral_v<_T>, int64_t, opmath_type<_T>> type;
};
template <> struct AccumulateType<float, false> { typedef double type; };
template <class _T, bool IsCuda> using acc_type = typename AccumulateType<_T, IsCuda>::type;
template <class _T> HEDDLE_TORCH constexpr _T ceil_div(_T a, _T b) { return (a + b - 1) / b; }

struct PhiloxCudaState {
  uint64_t seed_, offset_;
};
struct Generator {};
struct CUDAGeneratorImpl {
  PhiloxCudaState philox_cuda_state(uint64_t);
};
template <class _T> _T *get_generator_or_default(const std::optional<Generator> &, const Generator &);
namespace cuda {
using namespace c10::cuda;
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::OptionalCUDAGuard;
cudaDeviceProp *getCurrentDeviceProperties() HEDDLE_TORCH_QUERY;
cudaDeviceProp *getDeviceProperties(DeviceIndex) HEDDLE_TORCH_QUERY;
struct cublasContext *heddle_blas() HEDDLE_TORCH_QUERY;
inline auto getCurrentCUDABlasHandle() { return heddle_blas(); }
int warp_size() HEDDLE_TORCH_QUERY;
bool is_available() HEDDLE_TORCH_QUERY;
template <class _A, class _B> HEDDLE_TORCH constexpr auto ATenCeilDiv(_A a, _B b) { return (a + b - 1) / b; }
namespace philox {
HEDDLE_TORCH std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState s) { return {s.seed_, s.offset_}; }
} // namespace philox
namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
bool canUse32BitIndexMath(const Tensor &, int64_t = 0x7fffffff) HEDDLE_TORCH_QUERY;
constexpr int MAX_TENSORINFO_DIMS = 25;
// A tensor as kernels take it: its pointer, sizes and strides.
template <class _T, class _I> struct TensorInfo {
  _T *data;
  _I sizes[MAX_TENSORINFO_DIMS];
  _I strides[MAX_TENSORINFO_DIMS];
  int dims;
  TensorInfo();
  TensorInfo(_T *, int, _I[], _I[]);
  void reduceDim(int);
  int collapseDims(int = -1);
  HEDDLE_TORCH bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
template <class _T, class _I> TensorInfo<_T, _I> getTensorInfo(const Tensor &);
// Where the element with a number in the order of the indices is: the last index counts fastest.
template <class _T, class _I, int Dims> struct IndexToOffset {
  static HEDDLE_TORCH _I get(_I number, const TensorInfo<_T, _I> &info) {
    _I offset = 0;
    for (int d = (Dims < 0 ? info.dims : Dims) - 1; d > 0; --d) {
      offset += number % info.sizes[d] * info.strides[d];
      number /= info.sizes[d];
    }
    return offset + number * info.strides[0];
  }
};
} // namespace detail
} // namespace cuda
} // namespace at

namespace torch {
using namespace at;
using at::Tensor;
struct CustomClassHolder {};
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
namespace indexing {
enum class EllipsisIndexType { Ellipsis };
constexpr EllipsisIndexType Ellipsis = EllipsisIndexType::Ellipsis;
constexpr std::nullopt_t None = std::nullopt;
struct Slice {
  Slice(std::optional<int64_t> = {}, std::optional<int64_t> = {}, std::optional<int64_t> = {});
};
using at::TensorIndex;
} // namespace indexing
struct Library {
  template <class... _A> Library &def(_A &&...);
  template <class... _A> Library &impl(_A &&...);
  template <class... _A> Library &set_python_module(_A &&...);
};
template <class _F> int dispatch(DispatchKey, _F &&);
namespace cuda {
using namespace at::cuda;
void synchronize(int64_t = -1);
} // namespace cuda
namespace autograd {
struct Variable;
typedef std::vector<Tensor> variable_list, tensor_list;
} // namespace autograd
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
} // namespace torch

namespace at {
namespace indexing = torch::indexing;
}

namespace pybind11 {
struct arg {
  explicit arg(const char *);
  arg none(bool = true) const;
  arg noconvert(bool = true) const;
  template <class _T> arg operator=(_T &&) const;
};
struct object {};
template <class... _A> struct init {};
struct gil_scoped_release {
  gil_scoped_release();
  ~gil_scoped_release();
};
template <class _T> struct call_guard {};
struct module_ {
  template <class... _A> module_ &def(const char *, _A &&...);
  template <class _T> void attr(_T &&);
};
typedef module_ module;
template <class _T, class... _B> struct class_ {
  template <class... _A> class_(_A &&...);
  template <class... _A> class_ &def(_A &&...);
  template <class... _A> class_ &def_readwrite(_A &&...);
  template <class... _A> class_ &def_readonly(_A &&...);
};
} // namespace pybind11
namespace py = pybind11;

// A check of the host ends the call where it does not hold: what comes later is only reached where it does.
// As in PyTorch, good without a semicolon too.
#define TORCH_CHECK(condition, ...)                                                                                    \
  if (!(condition)) {                                                                                                  \
    ::c10::detail::heddle_fails();                                                                                     \
  }
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_TYPE TORCH_CHECK
#define TORCH_CHECK_INDEX TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define TORCH_CHECK_WITH(error, ...) TORCH_CHECK(__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...)                                                                          \
  do {                                                                                                                 \
  } while (0)
// Those of its logging, after which a message may be written.
#define HEDDLE_TORCH_LOGGED(condition)                                                                                 \
  if (condition) {                                                                                                     \
  } else                                                                                                               \
    ::c10::detail::heddle_fails_with()
#define CHECK_EQ(a, b) HEDDLE_TORCH_LOGGED((a) == (b))
#define CHECK_NE(a, b) HEDDLE_TORCH_LOGGED((a) != (b))
#define CHECK_LT(a, b) HEDDLE_TORCH_LOGGED((a) < (b))
#define CHECK_LE(a, b) HEDDLE_TORCH_LOGGED((a) <= (b))
#define CHECK_GT(a, b) HEDDLE_TORCH_LOGGED((a) > (b))
#define CHECK_GE(a, b) HEDDLE_TORCH_LOGGED((a) >= (b))
#define AT_CHECK TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ERROR(...) ::c10::detail::heddle_fails()
#define TORCH_WARN(...)                                                                                                \
  do {                                                                                                                 \
  } while (0)
#define TORCH_WARN_ONCE TORCH_WARN
#define AT_WARN TORCH_WARN
#define C10_THROW_ERROR(...) ::c10::detail::heddle_fails()
#define C10_CUDA_CHECK(e) TORCH_CHECK((e) == cudaSuccess)
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define THCudaCheck C10_CUDA_CHECK
#define C10_CUDA_ERROR_HANDLED(e) (e)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK C10_CUDA_KERNEL_LAUNCH_CHECK
#define TORCH_CUDABLAS_CHECK(e) TORCH_CHECK((int)(e) == 0)

// One instance of the code for each type that a tensor may have here.
#define AT_PRIVATE_CASE_TYPE_USING_HINT(of, hint, ...)                                                                 \
  case of: {                                                                                                           \
    using hint [[maybe_unused]] = ::c10::impl::ScalarTypeToCPPTypeT<of>;                                               \
    return __VA_ARGS__();                                                                                              \
  }
#define AT_DISPATCH_CASE(of, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(of, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(type, name, ...)                                                                            \
  [&] {                                                                                                                \
    switch (::at::scalar_type(type)) {                                                                                 \
      __VA_ARGS__                                                                                                      \
    default: ::c10::detail::heddle_fails();                                                                            \
    }                                                                                                                  \
  }()
#define AT_DISPATCH_INDEX_CASE(of, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(of, index_t, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                                                                       \
  AT_DISPATCH_SWITCH(type, name,                                                                                       \
                     AT_DISPATCH_INDEX_CASE(::c10::ScalarType::Int, __VA_ARGS__)                                       \
                         AT_DISPATCH_INDEX_CASE(::c10::ScalarType::Long, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(::c10::ScalarType::Double, __VA_ARGS__)                                                             \
  AT_DISPATCH_CASE(::c10::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...)                                                                  \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                                         \
  AT_DISPATCH_CASE(::c10::ScalarType::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, ...)                                                                    \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                                         \
  AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, ...)                                                                \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, __VA_ARGS__)                                                                  \
  AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(::c10::ScalarType::Byte, __VA_ARGS__)                                                               \
  AT_DISPATCH_CASE(::c10::ScalarType::Char, __VA_ARGS__)                                                               \
  AT_DISPATCH_CASE(::c10::ScalarType::Int, __VA_ARGS__)                                                                \
  AT_DISPATCH_CASE(::c10::ScalarType::Long, __VA_ARGS__)                                                               \
  AT_DISPATCH_CASE(::c10::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                                                \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                                                         \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(a, ...)                                                                         \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                                              \
  AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, ...)                                                                     \
  AT_DISPATCH_CASE_ALL_TYPES_AND(a, __VA_ARGS__)                                                                       \
  AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                                                                    \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...)                                                           \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(a, type, name, ...)                                                             \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, type, name, ...)                                                         \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...)                                                            \
  AT_DISPATCH_SWITCH(type, name,                                                                                       \
                     AT_DISPATCH_CASE(::c10::ScalarType::Half, __VA_ARGS__)                                            \
                         AT_DISPATCH_CASE(::c10::ScalarType::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...)                                                                    \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(a, type, name, ...)                                                                  \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, type, name, ...)                                                              \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, __VA_ARGS__))

// What Python and the registry are told is a function that nobody calls.
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME heddle_extension
#endif
#define HEDDLE_TORCH_JOINED(a, b) a##b
#define HEDDLE_TORCH_JOIN(a, b) HEDDLE_TORCH_JOINED(a, b)
#define HEDDLE_TORCH_UNIQUE(a) HEDDLE_TORCH_JOIN(a, __COUNTER__)
#define PYBIND11_MODULE(name, m)                                                                                       \
  [[maybe_unused]] static void HEDDLE_TORCH_UNIQUE(heddle_module_)([[maybe_unused]] ::pybind11::module_ & m)
#define TORCH_LIBRARY(name, m)                                                                                         \
  [[maybe_unused]] static void HEDDLE_TORCH_UNIQUE(heddle_library_)([[maybe_unused]] ::torch::Library & m)
#define TORCH_LIBRARY_FRAGMENT(name, m) TORCH_LIBRARY(name, m)
#define TORCH_LIBRARY_IMPL(name, key, m) TORCH_LIBRARY(name, m)
#define TORCH_LIBRARY_EXPAND TORCH_LIBRARY
#define TORCH_FN(f) (&f)
#define TORCH_SELECTIVE_SCHEMA(text) text
