// Whoever finds the pattern in its tile counts it plainly: the shortest pattern is found by all.
// launch: grid=2 block=128
__global__ void k(const char *text, const char *pattern, int length, int *hits) {
  __shared__ char tile[128];
  int t = threadIdx.x;
  tile[t] = text[blockIdx.x * 128 + t];
  __syncthreads();
  bool found = true;
  for (int i = 0; found && i < length; ++i)
    found = tile[(t + i) % 128] == pattern[i];
  if (found)
    *hits += 1;   // ~ HD0101
}
