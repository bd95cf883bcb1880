// The program asks whether a product is negative, which it is from 2^31 on: such a run counts.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  int x = n * 256;
  if (x < 0)
    out[threadIdx.x / 2] = threadIdx.x; // ~ HD0101
}
