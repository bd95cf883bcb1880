// The flag in shared memory is not set at the start, and may hold anything.
// launch: grid=any block=any passes=races
__global__ void k(int *out) {
  __shared__ volatile int ready;
  __shared__ int value;
  int t = threadIdx.x;
  if (t == 32) {
    value = 5;   // ~ HD0002
    __threadfence_block();
    ready = 1;
  }
  if (t == 64 && ready) {
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}
