// An address is moved on to the next multiple of sixteen: the distance depends on the address, and counts none.
// launch: grid=1 block=64
__global__ void k(int *out, int *p) {
  unsigned long long at = (unsigned long long)p;
  at += (16 - (at & 15)) & 15;
  ((int *)at)[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 1;
}
