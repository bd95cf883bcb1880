// Each round of a loop gets memory at another address.
// launch: grid=1 block=32
__global__ void k() {
  __shared__ int s[4];
  unsigned long long before = 0;
  for (int i = 0; i < 2; i++) {
    unsigned long long p = (unsigned long long)malloc(64);
    if (i == 1 && p != before)
      s[0] = threadIdx.x; // ~ HD0002
    before = p;
  }
}
