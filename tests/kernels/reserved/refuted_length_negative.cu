// A negative length gives others what is taken already.
// launch: grid=any block=128
__global__ void k(const int *__restrict__ length, int *out, int *tail, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int d = length[t];
  d -= 1;
  int first = atomicAdd(tail, d);
  for (int i = 0; i < d; i++)
    out[first + i] = t;   // ~ HD0101
}
