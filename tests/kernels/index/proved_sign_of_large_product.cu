// Where a product is negative, each thread has a place of its own.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  int x = n * 256;
  if (x < 0)
    out[threadIdx.x] = threadIdx.x;
}
