// What it keeps are two words each.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in) {
  int found = 0;
  for (int i = 0; i < 16; i++)
    if (in[threadIdx.x * 16 + i] > 3) {
      out[threadIdx.x * 16 + found] = i;   // ~ HD0101
      found += 2;
    }
}
