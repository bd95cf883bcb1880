// The second array carved from dynamic shared memory starts inside the first.
// launch: grid=1 block=64
extern __shared__ int pool[];
__global__ void k(const int *in, int *out) {
  unsigned t = threadIdx.x, b = blockDim.x;
  int *wide = pool;
  short *narrow = (short *)pool + b;
  wide[t] = in[t];   // ~ HD0101
  narrow[t] = (short)in[t];
  __syncthreads();
  out[t] = wide[b - 1 - t] + narrow[b - 1 - t];
}
