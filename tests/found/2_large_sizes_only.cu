// Correct for n up to 256: beyond, two iterations write the same slots of shared memory without a barrier between them.
// run: grid=1 block=256 n=300 | in=i32[300]:range out=i32[300] | HD0101
// check: grid=1 block=256 | HD0101
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int i = 0; i < n; i += 256) {
    s[t] = i + t < n ? in[i + t] : 0;
    __syncthreads();
    if (i + t < n)
      out[i + t] = s[255 - t];
  }
}
