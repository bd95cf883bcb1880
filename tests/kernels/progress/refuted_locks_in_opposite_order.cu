// Two locks, which odd blocks take in the other order.
// launch: grid=3 block=64
__global__ void k(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  int first = blockIdx.x % 2, second = 1 - first;
  while (atomicCAS(&lock[first], 0, 1) != 0) {}
  while (atomicCAS(&lock[second], 0, 1) != 0) {}   // ~ HD0503
  atomicAdd(data, 1);
  __threadfence();
  atomicExch(&lock[second], 0);
  atomicExch(&lock[first], 0);
}
