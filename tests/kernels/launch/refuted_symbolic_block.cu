// A kernel that was written for blocks of 256 threads goes wrong for larger ones.
// launch: grid=1 block=any
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256)
    out[i] = in[i] + t;   // ~ HD0101
}
