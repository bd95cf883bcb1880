// A number without a sign is halved by a division; after the loop it is the last one that counts.
// launch: grid=1 block=128
__global__ void k(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  for (unsigned d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) s[127] = 0, s[1] = 2;
  __syncthreads();
  out[t] = s[t];
}
