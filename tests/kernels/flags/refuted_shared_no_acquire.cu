// The flag in shared memory is read without a fence after it.
// launch: grid=any block=any passes=races
__global__ void k(int *out) {
  __shared__ volatile int ready;
  __shared__ int value;
  int t = threadIdx.x;
  if (t == 0)
    ready = 0;
  __syncthreads();
  if (t == 32) {
    value = 5;   // ~ HD0101
    __threadfence_block();
    ready = 1;
  }
  if (t == 64 && ready) {
    out[blockIdx.x] = value;
  }
}
