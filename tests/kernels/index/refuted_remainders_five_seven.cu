// The remainders by five and by seven repeat after 35 threads.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  out[(t % 5) * 7 + t % 7] = t;   // ~ HD0101
}
