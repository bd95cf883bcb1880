// The length is how far two row pointers are apart; rows that go down are left out.
// launch: grid=any block=128
__global__ void expand(const int *__restrict__ rows, const int *__restrict__ to, int *out, int *tail, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int begin = rows[v], degree = rows[v + 1] - begin;
  if (degree > 0) {
    int first = atomicAdd(tail, degree);
    for (int i = 0; i < degree; i++)
      out[first + i] = to[begin + i];
  }
}
