// A device-wide fence without a barrier does not make one thread wait for another.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;   // ~ HD0101
  __threadfence();
  out[t] = s[63 - t];
}
