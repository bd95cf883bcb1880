// The others wait for one less than there are.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out, unsigned n) {
  unsigned b = blockIdx.x;
  if (threadIdx.x != 0)
    return;
  if (b < n) {
    data[b] = b; // ~ HD0102
    __threadfence();
    atomicAdd(count, 1);
  } else if (atomicAdd(count, 0) + 1 >= n) {
    __threadfence();
    for (unsigned j = 0; j < n; j++)
      out[b * n + j] = data[j];
  }
}
