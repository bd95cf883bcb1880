// Two locks, which odd blocks take in the other order; the first is given back where the second is taken.
// launch: grid=3 block=64
__global__ void k(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  int first = blockIdx.x % 2, second = 1 - first;
  while (true) {
    while (atomicCAS(&lock[first], 0, 1) != 0) {}
    if (atomicCAS(&lock[second], 0, 1) == 0) break;   // ~ HD0502
    atomicExch(&lock[first], 0);
  }
  atomicAdd(data, 1);
  __threadfence();
  atomicExch(&lock[second], 0);
  atomicExch(&lock[first], 0);
}
