// The halves wait at two barriers, each for the whole block.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 32) asm volatile("bar.sync 14;" ::: "memory"); // ~ HD0202
  else asm volatile("bar.sync 15;" ::: "memory");
  out[t] = t;
}
