// nvcuda::wmma: tiles of matrices that a warp holds together, by the `wmma` instructions of PTX.
//
// A load reads, and a store writes, all lines of the tile; which lane touches which line is not specified, and neither
// is which element of the matrix `x[n]` of a lane is.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// By kind, shape and element: the elements of a lane, and the instructions. `Register` is what these count in.
template <class Use, int _M, int _N, int _K, class _T> struct heddle_tile;

template <class Use, int _M, int _N, int _K, class _T, class Layout = void> class fragment {
public:
  typedef heddle_tile<Use, _M, _N, _K, _T> heddle;
  typedef typename heddle::Element element_type;
  typedef typename heddle::Element storage_element_type;
  static constexpr int num_elements = heddle::count;
  static constexpr int num_storage_elements = heddle::count;
  alignas(8) element_type x[heddle::count];
};

template <class Layout> struct heddle_layout;
template <> struct heddle_layout<row_major> { static constexpr int number = 0; };
template <> struct heddle_layout<col_major> { static constexpr int number = 1; };

#define HEDDLE_TILE(Use, _M, _N, _K, _T, _E, n)                                                                        \
  template <> struct heddle_tile<Use, _M, _N, _K, _T> {                                                                \
    typedef _E Element;                                                                                                \
    static constexpr int count = n;
#define HEDDLE_TILE_LOAD(_R, load)                                                                                     \
  template <int Layout, class To, class From>                                                                          \
  static __attribute__((device, always_inline, nodebug)) void read(To *to, const From *from, unsigned stride) {        \
    load((_R *)to, (const _R *)from, stride, Layout);                                                                  \
  }
#define HEDDLE_TILE_STORE(_R, store)                                                                                   \
  template <int Layout, class To, class From>                                                                          \
  static __attribute__((device, always_inline, nodebug)) void write(To *to, const From *from, unsigned stride) {       \
    store((_R *)to, (const _R *)from, stride, Layout);                                                                 \
  }
#define HEDDLE_FACTOR(use, _M, _N, _K, _T, _E, n, _R, load) HEDDLE_TILE(use, _M, _N, _K, _T, _E, n) HEDDLE_TILE_LOAD(_R, load) };
#define HEDDLE_SUM(_M, _N, _K, _T, _E, n, _R, load, store)                                                             \
  HEDDLE_TILE(accumulator, _M, _N, _K, _T, _E, n) HEDDLE_TILE_LOAD(_R, load) HEDDLE_TILE_STORE(_R, store) };

// D = A B + C. The instruction has one number for both layouts.
template <int _M, int _N, int _K, class _A, class _D, class _C> struct heddle_product;
#define HEDDLE_PRODUCT(_M, _N, _K, _A, _D, _C, _R, RD, RC, multiply)                                                   \
  template <> struct heddle_product<_M, _N, _K, _A, _D, _C> {                                                          \
    template <int Layout, bool Saturates, class TD, class TA, class TC>                                                \
    static __attribute__((device, always_inline, nodebug)) void run(TD *d, const TA *a, const TA *b, const TC *c) {    \
      multiply((RD *)d, (const _R *)a, (const _R *)b, (const RC *)c, Layout, Saturates);                               \
    }                                                                                                                  \
  };

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define HEDDLE_HALF_SHAPE(_M, _N, _K, shape)                                                                           \
  HEDDLE_FACTOR(matrix_a, _M, _N, _K, __half, __half, 16, int, __hmma_##shape##_ld_a)                                  \
  HEDDLE_FACTOR(matrix_b, _M, _N, _K, __half, __half, 16, int, __hmma_##shape##_ld_b)                                  \
  HEDDLE_SUM(_M, _N, _K, __half, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)                 \
  HEDDLE_SUM(_M, _N, _K, float, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)                 \
  HEDDLE_PRODUCT(_M, _N, _K, __half, __half, __half, int, int, int, __hmma_##shape##_mma_f16f16)                       \
  HEDDLE_PRODUCT(_M, _N, _K, __half, float, __half, int, float, int, __hmma_##shape##_mma_f32f16)                      \
  HEDDLE_PRODUCT(_M, _N, _K, __half, __half, float, int, int, float, __hmma_##shape##_mma_f16f32)                      \
  HEDDLE_PRODUCT(_M, _N, _K, __half, float, float, int, float, float, __hmma_##shape##_mma_f32f32)
HEDDLE_HALF_SHAPE(16, 16, 16, m16n16k16)
HEDDLE_HALF_SHAPE(32, 8, 16, m32n8k16)
HEDDLE_HALF_SHAPE(8, 32, 16, m8n32k16)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define HEDDLE_BYTE_SHAPE(_M, _N, _K, shape, a, b)                                                                     \
  HEDDLE_FACTOR(matrix_a, _M, _N, _K, signed char, signed char, a, int, __imma_##shape##_ld_a_s8)                      \
  HEDDLE_FACTOR(matrix_b, _M, _N, _K, signed char, signed char, b, int, __imma_##shape##_ld_b_s8)                      \
  HEDDLE_FACTOR(matrix_a, _M, _N, _K, unsigned char, unsigned char, a, int, __imma_##shape##_ld_a_u8)                  \
  HEDDLE_FACTOR(matrix_b, _M, _N, _K, unsigned char, unsigned char, b, int, __imma_##shape##_ld_b_u8)                  \
  HEDDLE_SUM(_M, _N, _K, int, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)                           \
  HEDDLE_PRODUCT(_M, _N, _K, signed char, int, int, int, int, int, __imma_##shape##_mma_s8)                            \
  HEDDLE_PRODUCT(_M, _N, _K, unsigned char, int, int, int, int, int, __imma_##shape##_mma_u8)
HEDDLE_BYTE_SHAPE(16, 16, 16, m16n16k16, 8, 8)
HEDDLE_BYTE_SHAPE(32, 8, 16, m32n8k16, 16, 4)
HEDDLE_BYTE_SHAPE(8, 32, 16, m8n32k16, 4, 16)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
#define HEDDLE_BITS_PRODUCT(d, a, b, c, layout, saturates) __bmma_m8n8k128_mma_xor_popc_b1(d, a, b, c, 1)
HEDDLE_FACTOR(matrix_a, 8, 8, 32, experimental::precision::s4, int, 1, int, __imma_m8n8k32_ld_a_s4)
HEDDLE_FACTOR(matrix_b, 8, 8, 32, experimental::precision::s4, int, 1, int, __imma_m8n8k32_ld_b_s4)
HEDDLE_FACTOR(matrix_a, 8, 8, 32, experimental::precision::u4, unsigned, 1, int, __imma_m8n8k32_ld_a_u4)
HEDDLE_FACTOR(matrix_b, 8, 8, 32, experimental::precision::u4, unsigned, 1, int, __imma_m8n8k32_ld_b_u4)
HEDDLE_SUM(8, 8, 32, int, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
HEDDLE_PRODUCT(8, 8, 32, experimental::precision::s4, int, int, int, int, int, __imma_m8n8k32_mma_s4)
HEDDLE_PRODUCT(8, 8, 32, experimental::precision::u4, int, int, int, int, int, __imma_m8n8k32_mma_u4)
HEDDLE_FACTOR(matrix_a, 8, 8, 128, experimental::precision::b1, unsigned, 1, int, __bmma_m8n8k128_ld_a_b1)
HEDDLE_FACTOR(matrix_b, 8, 8, 128, experimental::precision::b1, unsigned, 1, int, __bmma_m8n8k128_ld_b_b1)
HEDDLE_SUM(8, 8, 128, int, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
HEDDLE_PRODUCT(8, 8, 128, experimental::precision::b1, int, int, int, int, int, HEDDLE_BITS_PRODUCT)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// Sums of floats do not saturate.
#define HEDDLE_BFLOAT_m16n16k16(d, a, b, c, layout, saturates) __mma_bf16_m16n16k16_mma_f32(d, a, b, c, layout, 0)
#define HEDDLE_BFLOAT_m32n8k16(d, a, b, c, layout, saturates) __mma_bf16_m32n8k16_mma_f32(d, a, b, c, layout, 0)
#define HEDDLE_BFLOAT_m8n32k16(d, a, b, c, layout, saturates) __mma_bf16_m8n32k16_mma_f32(d, a, b, c, layout, 0)
#define HEDDLE_TF32_PRODUCT(d, a, b, c, layout, saturates) __mma_tf32_m16n16k8_mma_f32(d, a, b, c, layout, 0)
#define HEDDLE_BFLOAT_SHAPE(_M, _N, _K, shape, a, b)                                                                   \
  HEDDLE_FACTOR(matrix_a, _M, _N, _K, __nv_bfloat16, __nv_bfloat16, a, int, __mma_bf16_##shape##_ld_a)                 \
  HEDDLE_FACTOR(matrix_b, _M, _N, _K, __nv_bfloat16, __nv_bfloat16, b, int, __mma_bf16_##shape##_ld_b)                 \
  HEDDLE_PRODUCT(_M, _N, _K, __nv_bfloat16, float, float, int, float, float, HEDDLE_BFLOAT_##shape)
HEDDLE_BFLOAT_SHAPE(16, 16, 16, m16n16k16, 8, 8)
HEDDLE_BFLOAT_SHAPE(32, 8, 16, m32n8k16, 16, 4)
HEDDLE_BFLOAT_SHAPE(8, 32, 16, m8n32k16, 4, 16)
HEDDLE_FACTOR(matrix_a, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_a)
HEDDLE_FACTOR(matrix_b, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_b)
HEDDLE_SUM(16, 16, 8, float, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
HEDDLE_PRODUCT(16, 16, 8, precision::tf32, float, float, int, float, float, HEDDLE_TF32_PRODUCT)
#define HEDDLE_DOUBLE_PRODUCT(d, a, b, c, layout, saturates) __dmma_m8n8k4_mma_f64(d, a, b, c, layout, 0)
HEDDLE_FACTOR(matrix_a, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_a)
HEDDLE_FACTOR(matrix_b, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_b)
HEDDLE_SUM(8, 8, 4, double, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
HEDDLE_PRODUCT(8, 8, 4, double, double, double, double, double, double, HEDDLE_DOUBLE_PRODUCT)
#endif

template <class Use, int _M, int _N, int _K, class _T, class Layout, class From>
HEDDLE_DEVICE void load_matrix_sync(fragment<Use, _M, _N, _K, _T, Layout> &f, const From *from, unsigned stride) {
  heddle_tile<Use, _M, _N, _K, _T>::template read<heddle_layout<Layout>::number>(f.x, from, stride);
}
template <int _M, int _N, int _K, class _T, class From>
HEDDLE_DEVICE void load_matrix_sync(fragment<accumulator, _M, _N, _K, _T> &f, const From *from, unsigned stride,
                                    layout_t layout) {
  if (layout == mem_row_major)
    heddle_tile<accumulator, _M, _N, _K, _T>::template read<0>(f.x, from, stride);
  else
    heddle_tile<accumulator, _M, _N, _K, _T>::template read<1>(f.x, from, stride);
}
template <int _M, int _N, int _K, class _T, class To>
HEDDLE_DEVICE void store_matrix_sync(To *to, const fragment<accumulator, _M, _N, _K, _T> &f, unsigned stride,
                                     layout_t layout) {
  if (layout == mem_row_major)
    heddle_tile<accumulator, _M, _N, _K, _T>::template write<0>(to, f.x, stride);
  else
    heddle_tile<accumulator, _M, _N, _K, _T>::template write<1>(to, f.x, stride);
}
template <class Use, int _M, int _N, int _K, class _T, class Layout, class _V>
HEDDLE_DEVICE void fill_fragment(fragment<Use, _M, _N, _K, _T, Layout> &f, const _V &v) {
  for (int n = 0; n < f.num_elements; ++n)
    f.x[n] = (typename fragment<Use, _M, _N, _K, _T, Layout>::element_type)v;
}
template <int _M, int _N, int _K, class _T, class LA, class LB, class TD, class TC>
HEDDLE_DEVICE void mma_sync(fragment<accumulator, _M, _N, _K, TD> &d, const fragment<matrix_a, _M, _N, _K, _T, LA> &a,
                            const fragment<matrix_b, _M, _N, _K, _T, LB> &b, const fragment<accumulator, _M, _N, _K, TC> &c,
                            bool saturates = false) {
  constexpr int layout = 2 * heddle_layout<LA>::number + heddle_layout<LB>::number;
  typedef heddle_product<_M, _N, _K, _T, TD, TC> Product;
  if (saturates)
    Product::template run<layout, true>(d.x, a.x, b.x, c.x);
  else
    Product::template run<layout, false>(d.x, a.x, b.x, c.x);
}
// Products of bits, counted after exclusive or; after `and`, only the registers are said.
template <class LA, class LB>
HEDDLE_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                             const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LA> &a,
                             const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LB> &b,
                             const fragment<accumulator, 8, 8, 128, int> &c,
                             experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                             experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  mma_sync(d, a, b, c);
}
// The 19 upper bits of a float are what counts.
HEDDLE_DEVICE float __float_to_tf32(float v) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned int, v) + 0x1000u) & 0xffffe000u);
}
} // namespace wmma
} // namespace nvcuda
