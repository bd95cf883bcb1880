// An unsigned counter may pass 2^31: nothing wraps around when it is 0xe0000000 for all even threads.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (unsigned i = t & 1; i < 0xfffffff0u; i += 0x70000000u)
    if (i == 0xe0000000u) out[0] = t;   // ~ HD0101
}
