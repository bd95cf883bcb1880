// A length from 2^31 on is as good as a negative one.
// launch: grid=1 block=64
__global__ void k(const unsigned *__restrict__ length, int *out, unsigned *tail) {
  unsigned d = length[threadIdx.x];
  unsigned first = atomicAdd(tail, d);
  if (d > 0)
    out[first & 0xfffffff] = threadIdx.x;   // ~ HD0101
}
