// Two locks, which all blocks take in one order.
// launch: grid=3 block=64
__global__ void k(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock[0], 0, 1) != 0) {}   // ~ HD0501
  while (atomicCAS(&lock[1], 0, 1) != 0) {}
  atomicAdd(data, 1);
  __threadfence();
  atomicExch(&lock[1], 0);
  atomicExch(&lock[0], 0);
}
