// The odd-even transposition sort alternates between two pairings with a barrier after each.
// launch: grid=1 block=64
__global__ void k(int *data, int n) {
  int t = threadIdx.x;
  for (int phase = 0; phase < n; phase++) {
    int i = 2 * t + (phase & 1);
    if (i + 1 < n) {
      int a = data[i], b = data[i + 1];
      if (a > b) {
        data[i] = b;
        data[i + 1] = a;
      }
    }
    __syncthreads();
  }
}
