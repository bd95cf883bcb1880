// Each thread writes one element too many and so touches the run of the next.
// launch: grid=1 block=any
__global__ void k(int *out, int length) {
  int t = threadIdx.x;
  for (int j = 0; j <= length; j++)
    out[t * length + j] = t;   // ~ HD0101
}
