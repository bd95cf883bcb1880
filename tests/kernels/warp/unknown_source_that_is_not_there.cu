// A block of eight threads in two rows reads from lane sixteen.
// launch: grid=any block=4,2
__global__ void append(int *out, int *tail) {
  int t = threadIdx.x + 4 * threadIdx.y;
  unsigned mask = __activemask();
  int base = atomicAdd(tail, 32);
  base = __shfl_sync(mask, base, 16);
  out[base + t] = t; // ~ HD0002
}
