// A warp barrier says nothing of what another warp has written.
// launch: passes=uninitialised-shared block=64 grid=any
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncwarp();
  out[blockIdx.x * 64 + t] = s[63 - t];   // ~ HD0002
}
