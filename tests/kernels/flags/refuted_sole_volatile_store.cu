// Each thread stores its number, as one atomic each: what stays need not be the first thread's.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ volatile int last;
  last = threadIdx.x;
  __syncthreads();
  if (last != 0)
    out[0] = threadIdx.x; // ~ HD0101
}
