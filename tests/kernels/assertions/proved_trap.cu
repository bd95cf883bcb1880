// A trap stands for a case that does not occur.
// launch: grid=1 block=64
__global__ void k(int *out) {
  switch (threadIdx.x % 3) {
  case 0: out[threadIdx.x] = 1; break;
  case 1: out[threadIdx.x] = 2; break;
  case 2: out[threadIdx.x] = 3; break;
  default: __trap();
  }
}
