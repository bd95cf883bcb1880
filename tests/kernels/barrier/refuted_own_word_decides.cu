// Each thread's own word of shared memory decides whether it comes to the barrier.
// launch: grid=2 block=64
__global__ void k(int *out, const int *in) {
  __shared__ int kept[64];
  int t = threadIdx.x, g = blockIdx.x * 64 + t;
  kept[t] = in[g] - 1;
  if (kept[t] >= 0)
    __syncthreads();   // ~ HD0201
  out[g] = kept[t];
  __syncthreads();
}
