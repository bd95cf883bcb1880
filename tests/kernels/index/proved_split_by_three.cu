// A thread index splits into a quotient and a remainder by three, stored column by column.
// launch: grid=1 block=96
__global__ void k(int *out) {
  int t = threadIdx.x;
  out[(t % 3) * 32 + t / 3] = t;
}
