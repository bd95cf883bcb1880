// No thread reaches the barrier where no product wraps around; the answer names that it takes this for granted.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x, x = t * n;
  if (n > 0 && t > 0 && x == 0) __syncthreads();
  out[t] = 2;
}
