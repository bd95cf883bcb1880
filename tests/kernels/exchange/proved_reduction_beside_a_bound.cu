// All lanes take part in the reduction; those beyond `n` add nothing.
// launch: grid=any block=64
__global__ void k(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_down_sync(0xffffffffu, v, step);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}
