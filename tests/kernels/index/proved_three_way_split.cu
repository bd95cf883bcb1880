// A thread index splits into three digits, the middle one of base seven.
// launch: grid=1 block=140
__global__ void k(int *out) {
  int t = threadIdx.x;
  int x = t % 4, y = t / 4 % 7, z = t / 28;
  out[(x * 7 + y) * 5 + z] = t;
}
