// Without the barrier the threads that stay read what their neighbours have not stored yet.
// launch: grid=1 block=any
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  if (t >= n || t >= 100)
    return;
  s[t] = in[t];   // ~ HD0101
  if (t > 0)
    out[t] = s[t - 1];
}
