// A device function stores through the pointer that each thread passes for its slot.
// launch: grid=1 block=64
__device__ __attribute__((noinline)) void store(int *slot, int v) {
  *slot = v;
}
__global__ void k(int *out) {
  store(out + threadIdx.x, threadIdx.x);
}
