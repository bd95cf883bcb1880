// Each thread writes a run of symbolic length of its own.
// launch: grid=1 block=any
__global__ void k(int *out, int length) {
  int t = threadIdx.x;
  for (int j = 0; j < length; j++)
    out[t * length + j] = t + j;
}
