// Threads whose allocation failed do not come to the barrier.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out) {
  int *p = (int *)malloc(256);
  if (p)
    __syncthreads(); // ~ HD0002
  out[threadIdx.x] = 1;
}
