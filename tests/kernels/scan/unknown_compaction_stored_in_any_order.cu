// The place is overwritten by atomics that nothing orders, so it may be zero for all.
// launch: grid=1 block=64 passes=races
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  __shared__ int place[64];
  int t = threadIdx.x, keep = in[t] & 1, before = 0;
  s[t] = keep;
  __syncthreads();
  for (int i = 0; i < t; i++)
    before += s[i];
  __atomic_store_n(&place[(t + 1) & 63], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&place[t], before, __ATOMIC_RELAXED);
  __syncthreads();
  if (keep)
    out[place[t]] = t;  // ~ HD0002
}
