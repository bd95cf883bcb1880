// The flag is set by an addition of one thread.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    atomicAdd(flag + b, 1);
    if (b > 0) {
      while (atomicOr(flag + b - 1, 0) == 0) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
