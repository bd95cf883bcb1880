// A negative number that is halved towards zero takes four steps from -8; in the last all threads of a warp meet.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = -8; i < 0; i /= 2)
    if (i == -1)
      out[t >> 5] = t;   // ~ HD0101
}
__global__ void least(int *out) {
  int t = threadIdx.x, steps = 0;
  for (long long i = -9223372036854775807LL - 1; i < -1; i /= 4)
    steps++;
  out[steps == 32 ? 0 : t] = t;   // ~ HD0101
}
__global__ void barrier(int *out) {
  int t = threadIdx.x;
  for (int i = -6; i < 0; i /= 2)
    if (i == -1 && t == 0)
      __syncthreads();   // ~ HD0201
  out[t] = t;
}
__global__ void given(int *out, int n) {
  int t = threadIdx.x;
  for (int i = n; i < 0; i /= 2)
    if (i == -3)
      out[t >> 5] = t;   // ~ HD0101
}
