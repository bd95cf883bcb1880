// The threads for which the function lacks its return do not come to the barrier.
// launch: grid=1 block=64
__device__ int larger(int a, int b) {
  if (a > b) return a;
}
__global__ void k(int *out) {
  int v = threadIdx.x;
  if (v <= 31) {
    larger(v, 31);
  } else {
    __syncthreads(); // ~ HD0201
  }
  out[v] = v;
}
