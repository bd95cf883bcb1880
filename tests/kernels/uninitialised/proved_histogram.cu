// A loop over more bins than there are threads zeroes each.
// launch: passes=uninitialised-shared block=128 grid=any
__global__ void k(const unsigned char *in, unsigned *out) {
  __shared__ unsigned bins[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 128) bins[i] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 128 + t]], 1u);
  __syncthreads();
  for (int i = t; i < 256; i += 128) atomicAdd(&out[i], bins[i]);
}
