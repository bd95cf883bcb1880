// One warp reduces in shared memory with a warp barrier per level.
// launch: grid=1 block=32
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncwarp();
  }
  if (t == 0)
    out[0] = s[0];
}
