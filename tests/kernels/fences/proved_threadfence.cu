// A device-wide fence before the barrier changes nothing about the order within the block.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __threadfence();
  __syncthreads();
  out[t] = s[63 - t];
}
