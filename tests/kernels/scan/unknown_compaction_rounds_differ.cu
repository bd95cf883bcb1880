// Threads store the numbers of their rounds, and do different numbers of them.
// launch: grid=1 block=64 passes=races
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  __shared__ int word;
  int t = threadIdx.x, keep = in[t] & 1, before = 0;
  s[t] = keep;
  __syncthreads();
  for (int i = 0; i < t; i++)
    before += s[i];
  for (int r = 0; r < 1 + (t >= 32); r++)
    __atomic_store_n(&word, r, __ATOMIC_RELAXED);
  __syncthreads();
  if (keep)
    out[word == 1 ? before : 0] = t;  // ~ HD0002
}
