// The loop leaves the last element out.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int i = t; i < 255; i += 64) s[i] = in[i];
  __syncthreads();
  out[t] = s[t * 4 + 3];   // ~ HD0302
}
