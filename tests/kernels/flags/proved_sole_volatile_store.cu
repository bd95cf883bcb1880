// Each thread stores one number, and it stays whoever was the last.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ volatile int last;
  last = blockIdx.x;
  __syncthreads();
  if (last != 0)
    out[0] = threadIdx.x;
}
