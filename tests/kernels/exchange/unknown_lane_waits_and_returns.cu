// Thread 3 waits in a shuffle for lanes that wait at the barrier, and would return only after it.
// launch: grid=1 block=32
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t == 3) {
    out[0] = __shfl_sync(0xffffffffu, t, 0);  // ~ HD0002
    return;
  }
  __syncthreads();  // ~ HD0203
  out[t + 1] = 1;
}
