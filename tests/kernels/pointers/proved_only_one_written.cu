// One pointer is written and nothing else is touched: no pointers need be apart.
// launch: grid=1 block=64
__global__ void k(int *p, int n) {
  p[threadIdx.x] = n;
}
