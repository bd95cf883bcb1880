// What is combined with the value is another value of the other lane.
// launch: grid=any block=128
__global__ void k(int *out, const int *in, int n) {
  int t = threadIdx.x;
  int v = t;
  v += __shfl_xor_sync(~0u, v, 16);
  v += __shfl_xor_sync(~0u, v, 8);
  v += __shfl_xor_sync(~0u, v, 4);
  v += __shfl_xor_sync(~0u, v, 2);
  v += __shfl_xor_sync(~0u, v + t, 1);
  out[blockIdx.x * 64 + t / 32] = v; // ~ HD0104
}
