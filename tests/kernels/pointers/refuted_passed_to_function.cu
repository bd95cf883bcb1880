// A device function stores one slot behind the pointer as well, which belongs to the next thread.
// launch: grid=1 block=64
__device__ __attribute__((noinline)) void store(int *slot, int v) {
  slot[0] = v;   // ~ HD0101
  slot[1] = v;
}
__global__ void k(int *out) {
  store(out + threadIdx.x, threadIdx.x);
}
