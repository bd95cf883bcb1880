// All threads that find a zero store the same value in the same flag.
// launch: grid=any block=any
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] == 0)
    found[0] = 1;   // ~ HD0103
}
