// Each thread fills its own part of the array, and stops where that ends.
// launch: grid=1 block=64 passes=uninitialised-shared
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t & 3) out[t] = s[10];
}
