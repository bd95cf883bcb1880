// A symbolic stride that is not zero keeps the threads apart.
// launch: grid=1 block=64
__global__ void k(int *out, int stride) {
  int t = threadIdx.x;
  if (stride != 0)
    out[t * stride] = t;
}
