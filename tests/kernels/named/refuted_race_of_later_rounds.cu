// Without rounds two warps write what they read at one place, which is no harm; with rounds, two numbers.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  __shared__ int first, s;
  int t = threadIdx.x;
  if (n == 0 && t % 32 == 0) first = in[0]; // ~ HD0103
  for (int i = 0; i < n; i++) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t == 0) s = i; // ~ HD0101
    if (t == 32) s = i + 5;
  }
}
