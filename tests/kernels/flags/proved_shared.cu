// A warp hands a value to another one by a flag in shared memory; block scope is enough.
// launch: grid=any block=any passes=races
__global__ void k(int *out) {
  __shared__ volatile int ready;
  __shared__ int value;
  int t = threadIdx.x;
  if (t == 0)
    ready = 0;
  __syncthreads();
  if (t == 32) {
    value = 5;
    __threadfence_block();
    ready = 1;
  }
  if (t == 64 && ready) {
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}
