// Barrier 0, written as PTX, goes by its number too.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  if (t < 32) { if (t == 0) z = 1; asm volatile("bar.sync 0;" ::: "memory"); }
  else { asm volatile("bar.sync 0;" ::: "memory"); out[t] = z; }
}
