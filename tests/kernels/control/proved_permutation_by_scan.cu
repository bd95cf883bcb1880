// Compaction by a scan stores each kept element at the number of kept ones before it.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int kept[64];
  int t = threadIdx.x, at = 0;
  kept[t] = in[t] > 0;
  __syncthreads();
  for (int i = 0; i < t; i++)
    at += kept[i];
  if (in[t] > 0)
    out[at] = in[t];
}
