// A warp loads a tile that the other warp may still be filling.
// launch: grid=1 block=64
#include <mma.h>
using namespace nvcuda;

__global__ void k(float *d, const half *a, const half *b) {
  __shared__ __align__(32) half s[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 64)
    s[i] = a[i]; // ~ HD0101
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, s, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d + threadIdx.x / 32 * 256, sum, 16, wmma::mem_row_major);
}
