// A plain store resets a counter that other threads count up atomically.
// launch: grid=1 block=64
__global__ void k(int *counter) {
  if (threadIdx.x == 63)
    counter[0] = 0;   // ~ HD0101
  else
    atomicAdd(counter, 1);
}
