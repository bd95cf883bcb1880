// An index kept in eight bits repeats after 256 threads.
// launch: grid=1 block=512
__global__ void k(int *out) {
  unsigned char i = threadIdx.x;
  out[i] = threadIdx.x;   // ~ HD0101
}
