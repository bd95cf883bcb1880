// The maximum is of eight bytes, of which the counter is the upper half.
// launch: grid=any block=128
__global__ void k(const int *in, long long *state, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMax(state, (long long)in[i]);   // ~ HD0101
    if (in[i] > 3)
      out[atomicAdd((int *)&state[0] + 1, 1)] = i;
  }
}
