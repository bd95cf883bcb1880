// Tiles of matrices.
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, const half *b, float *c, int K) {
  __shared__ alignas(32) half s[2][16 * 16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < 8; i++) s[0][threadIdx.x + 32 * i] = a[threadIdx.x + 32 * i];
  __syncthreads();
  wmma::load_matrix_sync(fa, s[0], 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void k2(const signed char *a, int *c, const double *d, double *e, const __nv_bfloat16 *g, const float *h, float *o) {
  wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, a, 16);
  wmma::mma_sync(fc, fa, fb, fc, true);
  wmma::store_matrix_sync(c, fc, 32, wmma::mem_col_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc;
  wmma::load_matrix_sync(da, d, 4); wmma::load_matrix_sync(db, d, 4); wmma::load_matrix_sync(dc, e, 8, wmma::mem_row_major);
  wmma::mma_sync(dc, da, db, dc);
  wmma::store_matrix_sync(e, dc, 8, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> ba;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> bb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> bc;
  wmma::load_matrix_sync(ba, g, 16); wmma::load_matrix_sync(bb, g, 16); wmma::fill_fragment(bc, 0.0f);
  wmma::mma_sync(bc, ba, bb, bc);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ta;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> tb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> tc;
  wmma::load_matrix_sync(ta, h, 8); wmma::load_matrix_sync(tb, h, 16); wmma::fill_fragment(tc, 0.0f);
  for (int i = 0; i < ta.num_elements; i++) ta.x[i] = wmma::__float_to_tf32(ta.x[i]);
  wmma::mma_sync(tc, ta, tb, tc);
  wmma::store_matrix_sync(o, tc, 16, wmma::mem_row_major);
}
