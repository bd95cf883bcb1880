// The maximum is kept in the counter or beside it, as the data says.
// launch: grid=any block=128
__global__ void k(const int *in, int *state, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMax(&state[in[i] & 1], in[i]);
    if (in[i] > 3)
      out[atomicAdd(&state[0], 1)] = i;   // ~ HD0002
  }
}
