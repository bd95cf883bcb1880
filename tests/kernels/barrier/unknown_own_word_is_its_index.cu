// What each thread keeps is never below zero, so that all come to the barrier: no run parts them.
// launch: grid=2 block=64
__global__ void k(int *out) {
  __shared__ int kept[64];
  int t = threadIdx.x;
  kept[t] = t;
  __syncthreads();
  int v = kept[63 - t];
  if (v >= 0)
    __syncthreads();   // ~ HD0002
  out[blockIdx.x * 64 + t] = v;
}
