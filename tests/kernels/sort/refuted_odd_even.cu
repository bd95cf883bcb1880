// The odd-even transposition sort pairs every thread with its right neighbour in every phase.
// launch: grid=1 block=64
__global__ void k(int *data, int n) {
  int t = threadIdx.x;
  for (int phase = 0; phase < n; phase++) {
    int i = t + (phase & 1);
    if (i + 1 < n) {
      int a = data[i], b = data[i + 1];
      if (a > b) {
        data[i] = b;       // ~ HD0101
        data[i + 1] = a;   // ~ HD0101
      }
    }
    __syncthreads();
  }
}
