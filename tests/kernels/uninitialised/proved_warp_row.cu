// Lanes of one warp read what others of it wrote before a warp barrier.
// launch: passes=uninitialised-shared block=64 grid=any
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncwarp();
  out[blockIdx.x * 64 + t] = s[t ^ 31];
}
