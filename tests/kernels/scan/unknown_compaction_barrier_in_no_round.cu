// The barriers between two stores are in a loop that may not run.
// launch: grid=1 block=64 passes=races
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[64];
  __shared__ int word;
  int t = threadIdx.x, keep = in[t] & 1, before = 0;
  s[t] = keep;
  __syncthreads();
  for (int i = 0; i < t; i++)
    before += s[i];
  if (t == 3)
    __atomic_store_n(&word, 7, __ATOMIC_RELAXED);
  for (int r = 0; r < n; r++)
    __syncthreads();
  if (t == 40)
    __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
  __syncthreads();
  if (keep)
    out[word == 1 ? before : 0] = t;  // ~ HD0002
}
