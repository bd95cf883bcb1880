// Somebody sets the counter, so what comes after may get what is taken already.
// launch: grid=1 block=64
__global__ void k(const int *__restrict__ length, int *out, int *tail) {
  int d = length[threadIdx.x] & 15;
  int first = atomicAdd(tail, d);
  if (d > 0)
    out[first] = threadIdx.x;   // ~ HD0002
  if (threadIdx.x == 63)
    atomicExch(tail, 0);
}
