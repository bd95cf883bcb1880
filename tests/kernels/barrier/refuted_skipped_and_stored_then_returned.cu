// A thread that skips the barrier stores before it returns: the barrier is no order for it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t != 40)
    s[t] = 1; // ~ HD0101
  if (t != 40)
    __syncthreads(); // ~ HD0203
  if (t == 40)
    s[3] = 9;
  if (t == 40)
    return;
  out[t] = s[t];
}
