// Each thread stops to fill the array at its own place, so that nobody comes to the middle.
// launch: grid=1 block=64 passes=uninitialised-shared
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 64; i++) {
    s[i] = i;
    if (i == (t & 3)) break;
  }
  __syncthreads();
  if (t & 3) out[t] = s[10]; // ~ HD0302
}
