// The flag is polled by an atomic of block scope.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    atomicExch(flag + b, 1);   // ~ HD0102
    if (b > 0) {
      while (atomicOr_block(flag + b - 1, 0) == 0) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
