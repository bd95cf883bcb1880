// Tiles that a loop stores overlap by half, and nothing says which lane stores which element.
// launch: grid=1 block=32
#include <mma.h>
using namespace nvcuda;
__global__ void k(float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, (float)threadIdx.x);
  for (int i = 0; i < 2; i++)
    wmma::store_matrix_sync(out + 8 * i, c, 64, wmma::mem_row_major); // ~ HD0002
}
