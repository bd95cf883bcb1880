// The last warp exchanges its items where the first one has done so, and already stores something else.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED> Load;
  __shared__ union {
    Load::TempStorage load;
    int all[512];
  } lent;
  int items[4];
  Load(lent.load).Load(in, items); // ~ HD0101
  if (threadIdx.x < 32)
    lent.all[threadIdx.x] = items[0];
  __syncthreads();
  out[threadIdx.x] = lent.all[threadIdx.x / 2] + items[1];
}
