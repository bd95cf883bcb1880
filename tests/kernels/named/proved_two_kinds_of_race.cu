// The same without either race: one thread writes, and each lane reads its own.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s, w[32];
  int t = threadIdx.x;
  if (n == 0 && t == 0) s = t;
  if (t < 32) {
    for (int i = 0; i < n; i++) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (n > 0) {
      w[t] = t;
      out[t] = w[t];
    }
  } else {
    for (int i = 0; i < n; i++) asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}
