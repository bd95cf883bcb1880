// A loop inside would not end in the iteration before the first, which no thread runs; each thread has its own slot.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  for (int i = 0;; i++) {
    if (i == 0)
      out[threadIdx.x] = i;
    int j = 0;
    while (j <= 10 || i < 0)
      j++;
    if (j + i > n)
      break;
  }
}
