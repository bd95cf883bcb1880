// The down-sweep of Blelloch's scan has a barrier before it but none between its levels.
// launch: grid=1 block=64
__global__ void k(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x, stride = 1;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  for (int d = 64; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = stride * (2 * t + 1) - 1, b = stride * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    stride *= 2;
  }
  if (t == 0)
    s[127] = 0;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    stride >>= 1;
    if (t < d) {
      int a = stride * (2 * t + 1) - 1, b = stride * (2 * t + 2) - 1;
      int left = s[a];
      s[a] = s[b];     // ~ HD0101
      s[b] += left;    // ~ HD0101
    }
  }
  __syncthreads();
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}
