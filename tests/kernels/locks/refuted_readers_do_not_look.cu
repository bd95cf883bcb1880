// Readers count themselves without a look at the writer.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, int *lock, int *out) {
  if (blockIdx.x % 4 == 0) {
    while (atomicCAS(lock, 0, -1) != 0) {}
    __threadfence();
    *data += 1; // ~ HD0102
    __threadfence();
    atomicExch(lock, 0);
  } else {
    atomicAdd(lock, 1);
    __threadfence();
    out[blockIdx.x] = *data;
    __threadfence();
    atomicSub(lock, 1);
  }
}
