// Thread 0 of each block takes a spin lock: a block that has it must keep running.
// launch: grid=3 block=64
__global__ void k(int *lock, int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}   // ~ HD0501
    atomicAdd(data, 1);
    __threadfence();
    atomicExch(lock, 0);
  }
}
