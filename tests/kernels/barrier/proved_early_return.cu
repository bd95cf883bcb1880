// Threads that have returned are not waited for by a barrier on recent devices.
// launch: grid=1 block=any
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = in[t];
  __syncthreads();   // ~ HD0203
  out[t] = s[n - 1 - t < (int)blockDim.x ? n - 1 - t : t];
}
