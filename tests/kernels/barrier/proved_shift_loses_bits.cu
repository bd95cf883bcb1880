// A shift by this argument drops no bit of any thread index.
// launch: grid=1 block=64 n=26
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x;
  if (t != 0 && (t << n) == 0) __syncthreads();
  out[t] = 2;
}
