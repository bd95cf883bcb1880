// Without rounds two warps race, with rounds the lanes of one: both are told, though each run has one of them.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s, w[32];
  int t = threadIdx.x;
  if (n == 0 && (t == 0 || t == 32)) s = t; // ~ HD0101
  if (t < 32) {
    for (int i = 0; i < n; i++) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (n > 0) {
      w[t] = t; // ~ HD0104
      out[t] = w[t ^ 1];
    }
  } else {
    for (int i = 0; i < n; i++) asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}
