// The bitonic sort has a barrier per merge only, not per exchange step.
// launch: grid=1 block=128
__global__ void k(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int size = 2; size <= 128; size *= 2) {
    for (int j = size / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        int a = s[t], b = s[other];
        if ((a > b) == ((t & size) == 0)) {
          s[t] = b;       // ~ HD0101
          s[other] = a;   // ~ HD0101
        }
      }
    }
    __syncthreads();
  }
  data[t] = s[t];
}
