// Dynamic shared memory is carved into an array of ints and one of shorts behind it.
// launch: grid=1 block=any
extern __shared__ int pool[];
__global__ void k(const int *in, int *out) {
  unsigned t = threadIdx.x, b = blockDim.x;
  int *wide = pool;
  short *narrow = (short *)(pool + b);
  wide[t] = in[t];
  narrow[t] = (short)in[t];
  __syncthreads();
  out[t] = wide[b - 1 - t] + narrow[b - 1 - t];
}
