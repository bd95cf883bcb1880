// The return leaves two loops at once.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 3; i++) {
      if (t == i + 3 * j) return;
      __syncthreads();                     // ~ HD0203
    }
  out[t] = 1;
}
