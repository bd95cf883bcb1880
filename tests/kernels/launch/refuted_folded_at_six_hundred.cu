// An open block may have more than 600 threads, two of which then have one element.
// launch: grid=1 block=any
__global__ void k(int *out) {
  __shared__ int s[600];
  s[threadIdx.x % 600] = threadIdx.x; // ~ HD0101
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 600];
}
