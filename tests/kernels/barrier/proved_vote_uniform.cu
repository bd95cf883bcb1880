// The block-wide vote gives all threads the same answer, so the second barrier is uniform.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  if (__syncthreads_or(in[t] > 0))
    __syncthreads();
  out[t] = t;
}
