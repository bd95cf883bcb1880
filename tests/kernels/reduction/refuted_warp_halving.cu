// One warp reduces in shared memory and trusts that its threads move in lock-step.
// launch: grid=1 block=32
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d];   // ~ HD0104
  if (t == 0)
    out[0] = s[0];
}
