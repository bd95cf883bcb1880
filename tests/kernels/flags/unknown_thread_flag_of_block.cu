// All threads of a block set one flag, and the first that does says nothing of the others.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;   // ~ HD0002
  __threadfence();
  atomicExch(flag + blockIdx.x, 1);
  if (blockIdx.x > 0 && atomicOr(flag + blockIdx.x - 1, 0)) {
    __threadfence();
    out[i] = data[i - blockDim.x];
  }
}
