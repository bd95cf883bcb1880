// Each thread moves an address on to its own next multiple of sixteen, where others write too.
// launch: grid=1 block=64
__global__ void k(int *out, int *p) {
  unsigned long long at = (unsigned long long)(p + threadIdx.x);
  at += (16 - (at & 15)) & 15;
  *(int *)at = threadIdx.x;                // ~ HD0101
  out[threadIdx.x] = 1;
}
