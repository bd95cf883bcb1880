// All lanes store the counter of their round; for how many rounds is open.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s;
  for (int i = 0; i < n; i++) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x < 32) s = i;           // ~ HD0002 HD0103
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s;
  }
}
