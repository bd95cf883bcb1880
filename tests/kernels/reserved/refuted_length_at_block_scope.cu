// The addition is atomic among the threads of the block alone.
// launch: grid=2 block=64
__global__ void k(const int *__restrict__ length, int *out, int *tail) {
  int d = length[threadIdx.x] & 3;
  int first = atomicAdd_block(tail, d);   // ~ HD0102
  if (d > 0)
    out[first] = threadIdx.x;   // ~ HD0002
}
