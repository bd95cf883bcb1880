// Lanes exchange values by shuffles alone, so that each touches its own slot of the array only.
// launch: grid=any block=64 assume="gridDim.x <= 65535"
__global__ void k(int *data) {
  int g = blockIdx.x * 64 + threadIdx.x;
  int v = __shfl_xor_sync(0xffffffffu, data[g], 16);
  data[g] = v;
}
