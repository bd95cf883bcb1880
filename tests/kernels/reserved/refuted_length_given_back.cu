// What was reserved and not used is given back, so others may get what lies behind.
// launch: grid=4 block=64
__global__ void k(const int *__restrict__ length, int *out, int *tail) {
  int d = length[threadIdx.x] & 15;
  int first = atomicAdd(tail, d);
  out[first] = threadIdx.x;   // ~ HD0101
  if (d > 4)
    atomicSub(tail, d - 4);
}
