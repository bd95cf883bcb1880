// Each lane stores the value of one lane to one place.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int s;
  int t = threadIdx.x;
  s = __shfl_sync(0xffffffff, 5 * t, 9); // ~ HD0103
  __syncthreads();
  out[t] = s;
}
