// The mask of lanes that CUB gives has the lane itself in it, where it should not.
// launch: grid=1 block=32
#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
  bool wanted = in[threadIdx.x] > 0;
  unsigned all = __ballot_sync(~0u, wanted);
  if (wanted || threadIdx.x == 31)
    out[__popc(all & cub::LaneMaskLe()) - 1] = threadIdx.x; // ~ HD0104
}
