// One number, computed in two ways that are not shown to be the same, after more steps than a run gets.
// launch: grid=1 block=128 rounds=100000000
__global__ void k(long long *out, long long n, int rounds) {
  __shared__ long long s[64];
  int t = threadIdx.x;
  long long x = n ^ t % 64, sum = 0;
  for (int i = 0; i < rounds; i++) sum = sum * 3 + x;
  if (t < 64)
    s[t] = x * n; // ~ HD0002
  else
    s[t - 64] = (x * (n >> 1) << 1) + (n & 1 ? x : 0);
  __syncthreads();
  out[t] = s[t % 64] + sum;
}
