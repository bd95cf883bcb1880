// Rows are looked at from the larger of two numbers on, up to the smaller of two.
// launch: grid=any block=64
__global__ void k(float *a, int n, int first, int last) {
  int low = (int)blockIdx.x * 16, from = low > first ? low : first;
  int to = low + 16 < last ? low + 16 : last;
  for (int i = from; i < to; i++)
    if (threadIdx.x == 0) a[i] = i;
}
