// Each thread reserves as many elements as it has, with one addition, and fills exactly these.
// launch: grid=any block=any
__global__ void k(const int *__restrict__ length, int *out, int *tail, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int d = length[t];
  if (d < 0)
    return;
  int first = atomicAdd(tail, d);
  for (int i = 0; i < d; i++)
    out[first + i] = t;
}
