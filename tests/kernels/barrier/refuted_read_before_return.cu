// A thread reads on its way to a return; the barrier that the others wait at does not order what it reads.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  if (t != 1) {
    if (t == 40) z = 5;                    // ~ HD0101
    __syncthreads();                       // ~ HD0203
  } else {
    out[t] = z;
    return;
  }
  out[t] = 0;
}
