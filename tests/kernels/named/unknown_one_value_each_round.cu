// Both warps store the number of the round to the same places, between barriers that go by the round.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  __shared__ int s[4][32];
  for (unsigned i = 0; i < n; i++) {
    int b = i & 3;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + b) : "memory");
    s[b][threadIdx.x % 32] = i;  // ~ HD0002 HD0103
    asm volatile("bar.arrive %0, 64;" ::"r"(5 + b) : "memory");
  }
}
