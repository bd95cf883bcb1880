// Of dynamic shared memory one half is written, and the other one read.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[64 + t];   // ~ HD0302
}
