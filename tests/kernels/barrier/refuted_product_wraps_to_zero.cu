// An unsigned product wraps around to zero for even threads: they alone reach the barrier.
// launch: grid=1 block=64 n=2147483648
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x, x = t * n;
  if (t > 0 && x == 0) __syncthreads();   // ~ HD0201
  out[t] = 2;
}
