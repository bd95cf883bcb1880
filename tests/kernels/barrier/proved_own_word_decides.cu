// The first word of shared memory, which all threads read after a barrier, decides about the next.
// launch: grid=2 block=64
__global__ void k(int *out, const int *in) {
  __shared__ int kept[64];
  int t = threadIdx.x, g = blockIdx.x * 64 + t;
  kept[t] = in[g] - 1;
  __syncthreads();
  if (kept[0] >= 0)
    __syncthreads();
  out[g] = kept[t];
}
