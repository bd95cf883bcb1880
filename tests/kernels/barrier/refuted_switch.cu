// A switch on the thread index sends only some threads to the barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x, v = 0;
  switch (t % 4) {
  case 0:
    v = 7;
    break;
  case 1:
    __syncthreads();   // ~ HD0201
    v = 8;
    break;
  default:
    v = 9;
  }
  out[t] = v;
}
