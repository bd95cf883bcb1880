// The columns of an index split by three are one element too short.
// launch: grid=1 block=96
__global__ void k(int *out) {
  int t = threadIdx.x;
  out[(t % 3) * 31 + t / 3] = t;   // ~ HD0101
}
