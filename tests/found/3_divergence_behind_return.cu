// Threads that have nothing to do skip the barrier and go on.
// run: grid=1 block=64 n=40 | out=i32[64] | HD0201
// check: grid=1 block=64 | HD0201
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = t;
    __syncthreads();
    s[t] = s[n - 1 - t];
  }
  out[t] = t;
}
