// Each lane stores the value of the lane below it, all to one place.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int s;
  int t = threadIdx.x;
  s = __shfl_up_sync(0xffffffff, 5 * t, 1); // ~ HD0104
  __syncthreads();
  out[t] = s;
}
