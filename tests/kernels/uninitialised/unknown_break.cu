// Where a loop breaks at some datum, what it has not come to is not written.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 64) {
    s[i] = in[i];
    if (in[i] == 7) break;
  }
  __syncthreads();
  out[t] = s[t * 4];   // ~ HD0002
}
