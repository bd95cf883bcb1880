// Whether threads meet at the barrier goes through a private array to what an argument points to.
// launch: grid=1 block=64
__global__ void k(int *seen, int *out, int n) {
  int held[4];
  held[n & 3] = seen[0];
  out[threadIdx.x] = 5;
  if (held[(n + 4) & 3] > 5)
    __syncthreads();
}
