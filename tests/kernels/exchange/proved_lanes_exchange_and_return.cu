// Thread 3 returns before the others exchange values and meet at the barrier.
// launch: grid=1 block=32
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t == 3)
    return;
  int v = __shfl_sync(0xfffffff7u, t, 0);
  __syncthreads();  // ~ HD0203
  out[t + 1] = v;
}
