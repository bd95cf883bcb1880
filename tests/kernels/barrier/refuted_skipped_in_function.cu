// A function returns before its barrier; the kernel that called it does not, and comes to the end.
// launch: grid=1 block=64 passes=barrier-divergence
__device__ void meet(int *out, int n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();  // ~ HD0201
  out[threadIdx.x] = n;
}
__global__ void k(int *out, int n) { meet(out, n); }
