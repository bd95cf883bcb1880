// A thread reserves room for one thing after the other.
// launch: grid=any block=128
__global__ void expand(const int *__restrict__ length, int *out, int *tail, int n) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    int d = length[v];
    if (d <= 0)
      continue;
    int first = atomicAdd(tail, d);
    for (int i = 0; i < d; i++)
      out[first + i] = v;
  }
}
