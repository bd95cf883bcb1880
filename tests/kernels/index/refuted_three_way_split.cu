// The last of three digits of a thread index is larger than its base.
// launch: grid=1 block=140
__global__ void k(int *out) {
  int t = threadIdx.x;
  int x = t % 4, y = t / 4 % 7, z = t / 28;
  out[(x * 7 + y) * 4 + z] = t;   // ~ HD0101
}
