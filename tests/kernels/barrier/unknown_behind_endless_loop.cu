// Threads part at two barriers, which none of them comes to: the loop before never ends.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  unsigned x = 0;
  do {
    x += 2;
    atomicAdd(out, 1);
  } while (x != 1);
  if (threadIdx.x < n) {
    __syncthreads();  // ~ HD0002
  } else {
    __syncthreads();  // ~ HD0002
  }
}
