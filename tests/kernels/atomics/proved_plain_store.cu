// An atomic exchange resets a counter that other threads count up atomically.
// launch: grid=1 block=64
__global__ void k(int *counter) {
  if (threadIdx.x == 63)
    atomicExch(counter, 0);
  else
    atomicAdd(counter, 1);
}
