// No barrier stands between the exchange that empties the list and the additions of the other threads.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ unsigned length;
  __shared__ int list[64];
  int t = threadIdx.x;
  if (t == 0)
    atomicExch(&length, 0u);
  unsigned slot = atomicAdd(&length, 1u);
  if (slot < 64)
    list[slot] = t; // ~ HD0002
  __syncthreads();
  out[t] = list[t];
}
