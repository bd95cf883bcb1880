// All blocks wait for a flag that one of them writes; the user says that all are resident.
// launch: grid=3 block=64 passes=progress assume-progress=fair
__global__ void k(volatile int *go) {
  if (blockIdx.x == 2 && threadIdx.x == 0) go[0] = 1;
  if (threadIdx.x == 0) while (go[0] == 0) {}   // ~ HD0501
}
