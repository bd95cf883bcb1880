// A shuffle moves registers but does not order the shared memory of the lanes.
// launch: grid=1 block=32
__global__ void k(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];   // ~ HD0104
  int v = __shfl_xor_sync(0xffffffffu, t, 1);
  data[t] = s[v];
}
