// All threads store the round's number, and a term that is zero for each of them.
// launch: grid=1 block=64
__global__ void k(float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    s[0] = i + (t / 64) * 2; // ~ HD0002
    asm volatile("bar.sync 0, 64;" ::: "memory");
    out[t] = s[0];
    asm volatile("bar.sync 0, 64;" ::: "memory");
  }
}
