// An index kept in eight bits is enough for 256 threads.
// launch: grid=1 block=256
__global__ void k(int *out) {
  unsigned char i = threadIdx.x;
  out[i] = threadIdx.x;
}
